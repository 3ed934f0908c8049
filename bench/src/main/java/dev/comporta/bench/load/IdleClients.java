package dev.comporta.bench.load;

import dev.comporta.tls.TlsContexts;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of clients that log in and are then mostly idle, on a few server connections. Measures the proxy's memory for
 * each of them, and the latency of occasional requests.
 */
public final class IdleClients {
    private static final int SERVER_CONNECTIONS = 20;

    /** Concurrent logins: few, so that no login storm is measured. */
    private static final int AT_ONCE = 50;

    /** Clients before the first measurement, so that it includes everything that is loaded and pooled once. */
    private static final int FORERUNNERS = 200;

    /** Less than the size of any object: if more is left for each client, an object leaks. */
    public static final int LEFT_BYTES = 16;

    /** More than an idle client takes on the heap. With more, garbage is not collected yet, or something leaks. */
    private static final int RESTING_BYTES = 3 * 1024;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * The results.
     *
     * @param heapPerClient bytes for each client on the proxy's heap
     * @param outsidePerClient bytes for each client in the proxy's resident memory outside of the heap
     * @param heapLeftPerClient bytes left on the heap for each client after as many clients have connected and left a second
     *     time: the first time leaves larger tables
     * @param answers to requests of clients that had been idle
     * @param errors answers that were errors, logins included
     * @param slowest the time of the slowest answer
     * @param serverConnections the most server connections open at the same time, counted by the server
     */
    public record Found(
            long heapPerClient,
            long outsidePerClient,
            long heapLeftPerClient,
            long answers,
            long errors,
            Duration median,
            Duration slowest,
            int serverConnections) {}

    private IdleClients() {}

    private static int number(String[] args, int at, int unlessSaid) {
        if (args.length <= at) {
            return unlessSaid;
        }
        if (!args[at].matches("[1-9]\\d{0,5}")) {
            System.err.println(
                    "bench clients [CLIENTS [SECONDS]]: '" + args[at] + "' is not a number from 1 to 999999.");
            System.exit(2);
        }
        return Integer.parseInt(args[at]);
    }

    /** Measures with and without TLS. Arguments: the number of clients (5000), and the seconds of requests (10). */
    public static void main(String[] args) throws Exception {
        int clients = number(args, 0, 5_000);
        Duration lasts = Duration.ofSeconds(number(args, 1, 10));
        System.out.println("          clients  heap B/client outside B/client  left B/client"
                + "  answers   errors  median ms slowest ms  connections");
        for (boolean tls : new boolean[] {false, true}) {
            Found found = measure(clients, lasts, tls);
            System.out.printf(
                    Locale.ROOT,
                    "%-8s %8d %14d %16d %14d %8d %8d %10.2f %10.2f %12d%n",
                    tls ? "TLS" : "plain",
                    clients,
                    found.heapPerClient(),
                    found.outsidePerClient(),
                    found.heapLeftPerClient(),
                    found.answers(),
                    found.errors(),
                    found.median().toNanos() / 1e6,
                    found.slowest().toNanos() / 1e6,
                    found.serverConnections());
        }
    }

    /**
     * Logs clients in, lets a changing few of them send requests for a while, and measures the proxy's memory before and after.
     *
     * @param tls whether the clients' connections are encrypted
     */
    public static Found measure(int clients, Duration lasts, boolean tls) throws Exception {
        EventLoopGroup loops = Sockets.loops(1);
        InstantServer.Tally tally = new InstantServer.Tally();
        Channel server = InstantServer.start(loops, Sockets.best(), 0, tally);
        int serverPort = ((InetSocketAddress) server.localAddress()).getPort();
        SslContext context = tls ? TlsContexts.trustingClient().strict() : null;
        try (MeasuredProxy proxy = MeasuredProxy.start(serverPort, SERVER_CONNECTIONS)) {
            Crowd forerunners = new Crowd(loops, proxy.port(), context, FORERUNNERS);
            forerunners.comes();
            forerunners.asks(Duration.ofSeconds(1));
            forerunners.leaves();
            MeasuredProxy.Memory before = proxy.memory(0);

            Crowd crowd = new Crowd(loops, proxy.port(), context, clients);
            crowd.comes();
            crowd.asks(lasts);
            MeasuredProxy.Memory with = proxy.memory(clients, before.heap() + (long) RESTING_BYTES * clients);
            crowd.leaves();
            MeasuredProxy.Memory after = proxy.memory(0);

            Crowd second = new Crowd(loops, proxy.port(), context, clients);
            second.comes();
            second.leaves();
            MeasuredProxy.Memory again = proxy.memory(0, after.heap() + (long) LEFT_BYTES * clients);
            return new Found(
                    (with.heap() - before.heap()) / clients,
                    (with.outside() - before.outside()) / clients,
                    (again.heap() - after.heap()) / clients,
                    crowd.run.answers.sum(),
                    crowd.run.errors.sum(),
                    Duration.ofNanos(crowd.run.nanos.getValueAtPercentile(50)),
                    Duration.ofNanos(crowd.run.nanos.getMaxValue()),
                    tally.most());
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Clients of one run. */
    private static final class Crowd {
        /** The number of clients that send requests at the same time: twice the number of server connections. */
        private static final int ASK_TOGETHER = 40;

        private final EventLoopGroup loops;
        private final int port;
        private final @Nullable SslContext tls;
        private final List<Channel> clients = new ArrayList<>();
        private final Random random = new Random(1);

        private final int count;
        final LoadClient.Run run;

        Crowd(EventLoopGroup loops, int port, @Nullable SslContext tls, int count) {
            this.loops = loops;
            this.port = port;
            this.tls = tls;
            this.count = count;
            run = new LoadClient.Run(count);
        }

        void comes() throws InterruptedException {
            while (clients.size() < count) {
                clients.add(LoadClient.connect(loops, Sockets.best(), port, run, tls));
                int waiting = Math.min(AT_ONCE, count - clients.size());
                await(() -> clients.size() - (count - run.loggedIn.getCount()) <= waiting, "clients to log in");
            }
        }

        /** Lets a few clients at a time send a request, chosen anew each time. */
        void asks(Duration lasts) throws InterruptedException {
            run.measuring = true;
            long end = System.nanoTime() + lasts.toNanos();
            long asked = 0;
            while (System.nanoTime() < end) {
                int first = random.nextInt(count);
                for (int i = 0; i < ASK_TOGETHER; i++) {
                    LoadClient.begin(clients.get((first + i) % count));
                    asked++;
                }
                long all = asked;
                await(() -> run.answers.sum() == all, "answers");
            }
        }

        void leaves() throws InterruptedException {
            for (Channel client : clients) {
                client.close().sync();
            }
        }

        private static void await(BooleanSupplier condition, String what) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("waited too long for " + what);
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }
}
