package dev.comporta.bench.load;

import com.sun.management.ThreadMXBean;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Compares prepared statements with plain batches through Comporta, by the same clients in turns of a few seconds, so that
 * other load of the machine affects both. Server and proxy are separate processes.
 */
public final class PreparedBenchmark {
    private static final int TURN_SECONDS = 2;
    /** The time before each turn is measured, for outstanding answers of the turn before. */
    private static final int SETTLE_MILLIS = 300;

    private static final int WARM_UP_TURNS = 2;

    private PreparedBenchmark() {}

    /** Argument: the seconds for which each way is measured. */
    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "server" -> serve();
            case "comporta" -> comporta(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            default -> {
                int seconds = args.length == 0 ? 20 : Integer.parseInt(args[0]);
                for (StatementClient.Kind kind : StatementClient.Kind.values()) {
                    measure(kind, 200, 5, seconds);
                    measure(kind, 4_000, 50, seconds);
                }
            }
        }
    }

    /** Writes its port, and its counts for each line that it reads. */
    private static void serve() throws IOException {
        InstantServer.Tally tally = new InstantServer.Tally();
        Channel channel = InstantServer.start(Sockets.loops(1), Sockets.best(), 0, tally);
        System.out.println(AnsweringProcess.ANSWER + ((InetSocketAddress) channel.localAddress()).getPort());
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (orders.readLine() != null) {
            System.out.println(AnsweringProcess.ANSWER + tally.prepares() + " " + tally.executions() + " "
                    + tally.unknown() + " " + tally.resets() + " " + tally.most());
        }
    }

    /** Writes its port, and the bytes that its threads have allocated for each line that it reads. */
    private static void comporta(int serverPort, int limit) throws IOException {
        ClientTls plain = ClientTls.off();
        System.out.println(AnsweringProcess.ANSWER
                + BenchProxy.start(Transport.best(), 0, plain, serverPort, limit)
                        .port());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (orders.readLine() != null) {
            System.out.println(AnsweringProcess.ANSWER
                    + Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                            .filter(bytes -> bytes > 0)
                            .sum());
        }
    }

    private static AnsweringProcess process(String... part) throws IOException {
        return AnsweringProcess.start(Peers.command(PreparedBenchmark.class, part));
    }

    /** The server's counts. */
    private record Counts(long prepares, long executions, long unknown, long resets, long connections) {
        static Counts of(AnsweringProcess server) throws IOException {
            long[] n = server.askNumbers("");
            return new Counts(n[0], n[1], n[2], n[3], n[4]);
        }
    }

    private static void measure(StatementClient.Kind kind, int clients, int connections, int seconds) throws Exception {
        AnsweringProcess server = process("server");
        EventLoopGroup loops = Sockets.loops(1);
        try {
            int serverPort = Integer.parseInt(server.answer());
            AnsweringProcess proxy = process("comporta", Integer.toString(serverPort), Integer.toString(connections));
            try {
                StatementClient.Run run = new StatementClient.Run(kind, clients);
                List<Channel> channels = new ArrayList<>();
                int port = Integer.parseInt(proxy.answer());
                for (int i = 0; i < clients; i++) {
                    channels.add(StatementClient.connect(loops, port, run));
                }
                if (!run.ready.await(120, TimeUnit.SECONDS)) {
                    throw new IllegalStateException(
                            run.ready.getCount() + " of " + clients + " clients could not prepare their statements");
                }
                channels.forEach(StatementClient::begin);
                System.out.printf(
                        Locale.ROOT, "%n%s, %,d clients on %d server connections%n", kind.title, clients, connections);
                takeTurns(run, proxy, server, seconds);
            } finally {
                proxy.process().destroy();
            }
        } finally {
            server.process().destroy();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static void takeTurns(StatementClient.Run run, AnsweringProcess proxy, AnsweringProcess server, int seconds)
            throws Exception {
        int turns = Math.max(1, seconds / TURN_SECONDS);
        for (int turn = -WARM_UP_TURNS; turn < turns; turn++) {
            for (StatementClient.Way way : run.kind.ways()) {
                takeTurn(run, proxy, server, way, turn >= 0);
            }
        }
        run.asking = false;
        report(run, Counts.of(server));
    }

    private static void takeTurn(
            StatementClient.Run run,
            AnsweringProcess proxy,
            AnsweringProcess server,
            StatementClient.Way way,
            boolean counts)
            throws IOException, InterruptedException {
        run.way = way;
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        Counts before = Counts.of(server);
        long allocated = proxy.askNumbers("")[0];
        long cpu = Peers.cpuNanos(proxy.process());
        long begun = System.nanoTime();
        run.measuring = counts;
        TimeUnit.SECONDS.sleep(TURN_SECONDS);
        run.measuring = false;
        if (counts) {
            StatementClient.Figures figures = run.figures(way);
            figures.measuredNanos += System.nanoTime() - begun;
            figures.cpuNanos += Peers.cpuNanos(proxy.process()) - cpu;
            figures.allocated += proxy.askNumbers("")[0] - allocated;
            Counts after = Counts.of(server);
            figures.prepares += after.prepares - before.prepares;
            figures.byHandle += after.executions - before.executions;
            figures.resets += after.resets - before.resets;
        }
    }

    private static void report(StatementClient.Run run, Counts server) {
        System.out.printf(
                "  %-34s %10s %11s %9s %8s %8s %10s %10s %10s%n",
                "", "messages/s", "CPU us/msg", "bytes/msg", "p50 us", "p99 us", "prepares", "by handle", "resets");
        for (StatementClient.Way way : run.kind.ways()) {
            StatementClient.Figures figures = run.figures(way);
            System.out.printf(
                    Locale.ROOT,
                    "  %-34s %10.0f %11.2f %9.0f %8.0f %8.0f %10d %10d %10d%n",
                    way.label,
                    figures.perSecond(),
                    figures.cpuMicros(),
                    figures.bytesAllocated(),
                    figures.nanos.getValueAtPercentile(50) / 1e3,
                    figures.nanos.getValueAtPercentile(99) / 1e3,
                    figures.prepares,
                    figures.byHandle,
                    figures.resets);
        }
        ratio("sp_execute / batch", run, StatementClient.Way.PREPARED, StatementClient.Way.BATCH);
        if (run.kind == StatementClient.Kind.WRITES) {
            ratio("two of each", run, StatementClient.Way.TWO_PREPARED, StatementClient.Way.TWO_CALLS);
        }
        System.out.printf(
                Locale.ROOT,
                "  at the server: %,d connections at most, %,d prepares in all, %,d executions of unknown handles;"
                        + " %,d errors at clients%n",
                server.connections,
                server.prepares,
                server.unknown,
                run.errors.sum());
    }

    private static void ratio(
            String label, StatementClient.Run run, StatementClient.Way prepared, StatementClient.Way plain) {
        System.out.printf(
                Locale.ROOT,
                "  %-34s %10.2f %11.2f%n",
                label,
                run.figures(prepared).perSecond() / run.figures(plain).perSecond(),
                run.figures(prepared).cpuMicros() / run.figures(plain).cpuMicros());
    }
}
