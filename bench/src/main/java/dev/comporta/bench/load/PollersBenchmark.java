package dev.comporta.bench.load;

import dev.comporta.bench.stats.Quartiles;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures the effect of monitoring on clients: 200 clients of a complete instance, with and without ten pollers of its
 * console, API, metrics and health, in turns of two seconds in one run. Other load of the machine affects both, and the
 * median of the turns' ratios leaves out turns in which it affected one. Instance, server, clients and pollers share the
 * machine's cores. The pollers, which would be on other machines, run at the lowest priority, so that their own CPU time does
 * not count against the instance.
 */
public final class PollersBenchmark {
    private static final int SERVER_CONNECTIONS = 50;
    private static final int POLLERS = 10;
    private static final int TURN_SECONDS = 2;
    private static final int WARM_UP_SECONDS = 30;
    /** The time between turns, for outstanding answers. */
    private static final int BETWEEN_MILLIS = 300;

    private static final int PORT = 21443;
    private static final int HEALTH_PORT = 21444;
    private static final int METRICS_PORT = 21445;

    /** The results of all turns of one kind. */
    private static final class Found {
        final Histogram nanos = new Histogram(3);
        /** One for each turn. */
        final List<Double> p99s = new ArrayList<>();

        double seconds;
        long answers;
        long cpuNanos;
        long loopNanos;
        long loopWaitNanos;
        long polls;

        double rate() {
            return answers / seconds;
        }

        double micros(double percentile) {
            return nanos.getValueAtPercentile(percentile) / 1e3;
        }

        /** Microseconds per request. */
        double each(long nanos) {
            return nanos / 1e3 / answers;
        }
    }

    private final LoadClient.Run run;
    private final int clients;
    private final Found alone = new Found();
    private final Found watched = new Found();

    private PollersBenchmark(int clients, int thinkMillis) {
        this.clients = clients;
        run = new LoadClient.Run(clients, thinkMillis, Query.ONE_ROW);
    }

    /**
     * Arguments: seconds for each kind (20); milliseconds between two polls of one poller (1000); a client's pause between
     * two requests in milliseconds (20; with 0 the clients use all of the machine's CPU, so that any other load slows them
     * down); the number of clients (200); {@code together} to make all pollers poll at the same moments.
     */
    public static void main(String[] args) throws Exception {
        int seconds = number(args, 0, 20);
        int pauseMillis = number(args, 1, 1000);
        boolean together = args.length > 4 && args[4].equals("together");
        PollersBenchmark benchmark = new PollersBenchmark(number(args, 3, 200), number(args, 2, 20));
        EventLoopGroup serverLoops = Sockets.loops(1);
        Channel server = InstantServer.start(serverLoops, Sockets.best(), 0);
        Process instance = instance(((InetSocketAddress) server.localAddress()).getPort());
        Process pollers = null;
        EventLoopGroup loops = Sockets.loops(1);
        try {
            Peers.awaitPort(PORT);
            Peers.awaitPort(METRICS_PORT);
            pollers = pollers(pauseMillis, together);
            benchmark.measure(loops, instance, pollers, Math.max(1, seconds / TURN_SECONDS));
        } finally {
            instance.destroy();
            if (pollers != null) {
                pollers.destroy();
            }
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
            serverLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static int number(String[] args, int index, int otherwise) {
        return args.length > index ? Integer.parseInt(args[index]) : otherwise;
    }

    private static Process instance(int serverPort) throws IOException {
        Path directory = Files.createTempDirectory("pollers");
        Path config = Files.writeString(directory.resolve("proxy.yaml"), """
                proxy:
                  listen_addr: 127.0.0.1
                  listen_port: %d
                  health_check_port: %d
                  metrics_port: %d
                  idle_timeout: 0
                  session_timeout: 0
                  tls: {mode: off}
                  admin: {username: %s, password: %s, token: %s}
                """.formatted(
                        PORT, HEALTH_PORT, METRICS_PORT, Pollers.USER, Pollers.PASSWORD, Pollers.TOKEN));
        Path buckets =
                Files.writeString(directory.resolve("buckets.yaml"), """
                buckets:
                  - id: bench
                    host: 127.0.0.1
                    port: %d
                    database: bench
                    max_connections: %d
                    encrypt: off
                    transaction_tracking: envchange
                """.formatted(serverPort, SERVER_CONNECTIONS));
        return new ProcessBuilder(Peers.command(
                        dev.comporta.app.Main.class,
                        "run",
                        "--config",
                        config.toString(),
                        "--buckets",
                        buckets.toString()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("instance.log").toFile())
                .start();
    }

    private static Process pollers(int pauseMillis, boolean together) throws IOException {
        List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
        command.addAll(Peers.command(
                Pollers.class,
                Integer.toString(PORT),
                Integer.toString(METRICS_PORT),
                Integer.toString(HEALTH_PORT),
                Integer.toString(POLLERS),
                Integer.toString(pauseMillis),
                Boolean.toString(together)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void measure(EventLoopGroup loops, Process instance, Process pollers, int rounds) throws Exception {
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            channels.add(LoadClient.connect(loops, Sockets.best(), PORT, run));
        }
        if (!run.loggedIn.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(run.loggedIn.getCount() + " clients could not log in");
        }
        run.asking = true;
        channels.forEach(LoadClient::begin);
        String times;
        try (Writer orders = pollers.outputWriter(StandardCharsets.UTF_8);
                BufferedReader answers = pollers.inputReader(StandardCharsets.UTF_8)) {
            order(Pollers.WARM_UP, orders, answers);
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            long warmUp = polls(Pollers.BEGIN, orders, answers);
            System.out.println("Warm-up: " + warmUp + " polls in " + WARM_UP_SECONDS + " s.");
            order(Pollers.TIMES, orders, answers);
            for (int i = 0; i < rounds; i++) {
                // Each kind is first as often as the other, so that a steady change affects both.
                if (i % 2 == 0) {
                    turn(instance, alone, () -> polls(Pollers.STOP, orders, answers));
                }
                turn(instance, watched, () -> polls(Pollers.BEGIN, orders, answers));
                if (i % 2 != 0) {
                    turn(instance, alone, () -> polls(Pollers.STOP, orders, answers));
                }
            }
            times = order(Pollers.TIMES, orders, answers);
        }
        run.asking = false;
        print(times);
    }

    /** @param polls starts or stops the pollers, and returns the number of polls since its last call */
    private void turn(Process instance, Found found, Callable<Long> polls) throws Exception {
        polls.call();
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
        polls.call();
        run.nanos.reset();
        run.answers.reset();
        long cpu = Peers.cpuNanos(instance);
        LoopTimes loops = LoopTimes.of(instance);
        long before = System.nanoTime();
        run.measuring = true;
        TimeUnit.SECONDS.sleep(TURN_SECONDS);
        run.measuring = false;
        found.seconds += (System.nanoTime() - before) / 1e9;
        LoopTimes after = LoopTimes.of(instance);
        found.polls += polls.call();
        found.cpuNanos += Peers.cpuNanos(instance) - cpu;
        found.loopNanos += after.ran() - loops.ran();
        found.loopWaitNanos += after.waited() - loops.waited();
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
        found.answers += run.answers.sum();
        found.p99s.add((double) run.nanos.getValueAtPercentile(99));
        found.nanos.add(run.nanos);
    }

    private static String order(String what, Writer orders, BufferedReader answers) throws IOException {
        orders.append(what).append('\n').flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the pollers' process has ended");
        }
        return answer;
    }

    /** @return the number of polls since the command before */
    private static long polls(String what, Writer orders, BufferedReader answers) throws IOException {
        String answer = order(what, orders, answers);
        return Long.parseLong(answer.substring(answer.lastIndexOf(' ') + 1));
    }

    private void print(String times) {
        System.out.printf(
                "%-28s requests/s     p50 us     p99 us   p99.9 us   CPU us/req  loop us/req loop wait/req    polls/s%n",
                "%d clients".formatted(clients));
        print("without pollers", alone);
        print("with %d pollers".formatted(POLLERS), watched);
        System.out.printf(
                Locale.ROOT,
                "%-28s %10.3f %10.3f %10.3f %10.3f %12.3f %12.3f %12.3f%n",
                "with / without",
                watched.rate() / alone.rate(),
                watched.micros(50) / alone.micros(50),
                watched.micros(99) / alone.micros(99),
                watched.micros(99.9) / alone.micros(99.9),
                watched.each(watched.cpuNanos) / alone.each(alone.cpuNanos),
                watched.each(watched.loopNanos) / alone.each(alone.loopNanos),
                watched.each(watched.loopWaitNanos) / alone.each(alone.loopWaitNanos));
        System.out.printf(
                "p99 with / without, by pairs of turns of %d s: %s, of %d pairs%n",
                TURN_SECONDS, Quartiles.ofRatios(watched.p99s, alone.p99s), alone.p99s.size());
        System.out.printf(
                Locale.ROOT,
                "A poll's own time, p50 / p99: %s. A poll costs the instance %.2f ms of CPU time.%n",
                times,
                (watched.each(watched.cpuNanos) - alone.each(alone.cpuNanos))
                        * watched.answers
                        / 1e3
                        / Math.max(1, watched.polls));
        System.out.println(
                "A poll consists of all of these. The pollers' process runs at nice 19: in production it is on other machines."
                        + " Errors: " + run.errors.sum());
    }

    private static void print(String name, Found found) {
        System.out.printf(
                Locale.ROOT,
                "%-28s %10.0f %10.1f %10.1f %10.1f %12.1f %12.1f %12.1f %10.1f%n",
                name,
                found.rate(),
                found.micros(50),
                found.micros(99),
                found.micros(99.9),
                found.each(found.cpuNanos),
                found.each(found.loopNanos),
                found.each(found.loopWaitNanos),
                found.polls / found.seconds);
    }
}
