package dev.comporta.bench.load;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What those who look at an instance do to those whom it serves: 200 clients of a whole instance, with and without ten
 * pollers of its console and its metrics, in turns of two seconds in one run, so that other work on the machine falls on
 * both. Instance, server, clients and pollers share the machine's cores: what the pollers themselves take is in the figures.
 */
public final class PollersBenchmark {
    private static final int CLIENTS = 200;
    private static final int SERVER_CONNECTIONS = 50;
    private static final int POLLERS = 10;
    private static final int PAGES = 50;
    static final String BUCKET = "bench";
    private static final int TURN_SECONDS = 2;
    private static final int WARM_UP_SECONDS = 6;
    /** For what was asked in the turn before. */
    private static final int BETWEEN_MILLIS = 300;

    private static final int PORT = 21443;
    private static final int HEALTH_PORT = 21444;
    private static final int METRICS_PORT = 21445;

    /** What was found in all turns of one kind. */
    private static final class Found {
        final Histogram nanos = new Histogram(3);
        double seconds;
        long answers;
        long cpuNanos;
        long loopNanos;
        long polls;

        double rate() {
            return answers / seconds;
        }

        double micros(double percentile) {
            return nanos.getValueAtPercentile(percentile) / 1e3;
        }
    }

    private PollersBenchmark() {}

    /**
     * Arguments: seconds for each kind (20), milliseconds between two polls of one poller (1000), and milliseconds that a
     * client pauses between two requests (20; with 0 the clients use all of the machine, and miss whatever else is used).
     */
    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int pauseMillis = args.length > 1 ? Integer.parseInt(args[1]) : 1000;
        compare(seconds, POLLERS, pauseMillis, args.length > 2 ? Integer.parseInt(args[2]) : 20);
    }

    /**
     * The same with open live pages instead of pollers. Arguments: seconds for each kind (20), how many pages (50), and
     * milliseconds that a client pauses between two requests (20).
     */
    public static void pages(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int pages = args.length > 1 ? Integer.parseInt(args[1]) : PAGES;
        compare(seconds, pages, 0, args.length > 2 ? Integer.parseInt(args[2]) : 20);
    }

    /** @param pauseMillis of the pollers; 0 for pages */
    private static void compare(int seconds, int watchers, int pauseMillis, int clientPauseMillis) throws Exception {
        LoadClient.Run run = new LoadClient.Run(CLIENTS, clientPauseMillis);
        EventLoopGroup serverLoops = Sockets.loops(1);
        Channel server = InstantServer.start(serverLoops, Sockets.best(), 0);
        Process instance = instance(((InetSocketAddress) server.localAddress()).getPort());
        Process pollers = null;
        EventLoopGroup loops = Sockets.loops(1);
        try {
            Peers.awaitPort(PORT);
            Peers.awaitPort(METRICS_PORT);
            pollers = pollers(watchers, pauseMillis);
            measure(run, loops, instance, pollers, Math.max(1, seconds / TURN_SECONDS));
            System.out.println(
                    pauseMillis == 0
                            ? "Watched by " + watchers
                                    + " open live pages, each of the bucket's view; a poll is a message."
                            : "Watched by " + watchers
                                    + " pollers; a poll is a SELECT of all clients over TDS and a scrape of /metrics.");
        } finally {
            instance.destroy();
            if (pollers != null) {
                pollers.destroy();
            }
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
            serverLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
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
                  admin: {username: %s, password: %s}
                """.formatted(
                        PORT, HEALTH_PORT, METRICS_PORT, Pollers.USER, Pollers.PASSWORD));
        Path buckets = Files.writeString(
                directory.resolve("buckets.yaml"), """
                buckets:
                  - id: %s
                    host: 127.0.0.1
                    port: %d
                    database: bench
                    max_connections: %d
                    encrypt: off
                    transaction_tracking: envchange
                """.formatted(BUCKET, serverPort, SERVER_CONNECTIONS));
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

    private static Process pollers(int watchers, int pauseMillis) throws IOException {
        return new ProcessBuilder(Peers.command(
                        Pollers.class,
                        Integer.toString(PORT),
                        Integer.toString(pauseMillis == 0 ? HEALTH_PORT : METRICS_PORT),
                        Integer.toString(watchers),
                        Integer.toString(pauseMillis)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void measure(LoadClient.Run run, EventLoopGroup loops, Process instance, Process pollers, int rounds)
            throws Exception {
        List<Channel> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(LoadClient.connect(loops, Sockets.best(), PORT, run));
        }
        if (!run.loggedIn.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(run.loggedIn.getCount() + " clients could not log in");
        }
        run.asking = true;
        clients.forEach(LoadClient::begin);
        Found alone = new Found();
        Found watched = new Found();
        try (Writer orders = pollers.outputWriter(StandardCharsets.UTF_8);
                BufferedReader counts = pollers.inputReader(StandardCharsets.UTF_8)) {
            order(Pollers.BEGIN, orders, counts);
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            for (int i = 0; i < rounds; i++) {
                order(Pollers.STOP, orders, counts);
                turn(run, instance, alone);
                order(Pollers.BEGIN, orders, counts);
                turn(run, instance, watched);
                watched.polls += order(Pollers.STOP, orders, counts);
            }
        }
        run.asking = false;
        print(alone, watched, run.errors.sum());
    }

    private static void turn(LoadClient.Run run, Process instance, Found found) throws Exception {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
        run.nanos.reset();
        run.answers.reset();
        long cpu = Peers.cpuNanos(instance);
        long loops = loopNanos(instance);
        long before = System.nanoTime();
        run.measuring = true;
        TimeUnit.SECONDS.sleep(TURN_SECONDS);
        run.measuring = false;
        found.seconds += (System.nanoTime() - before) / 1e9;
        found.cpuNanos += Peers.cpuNanos(instance) - cpu;
        found.loopNanos += loopNanos(instance) - loops;
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
        found.answers += run.answers.sum();
        found.nanos.add(run.nanos);
    }

    /** What the event loops' threads have run, from the kernel. */
    private static long loopNanos(Process instance) throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(instance.pid()), "task"))) {
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("comm")).startsWith("loop")) {
                    String[] fields =
                            Files.readString(thread.resolve("schedstat")).split(" ", -1);
                    sum += Long.parseLong(fields[0]);
                }
            }
        } catch (NoSuchFileException ended) {
            return loopNanos(instance); // another thread, between its name and its time
        }
        return sum;
    }

    /** @return polls since the order before */
    private static long order(String what, Writer orders, BufferedReader counts) throws IOException {
        orders.append(what).append('\n').flush();
        String answer = counts.readLine();
        if (answer == null) {
            throw new IOException("the pollers' process has ended");
        }
        return Long.parseLong(answer.substring(answer.lastIndexOf(' ') + 1));
    }

    private static void print(Found alone, Found watched, long errors) {
        System.out.printf(
                Locale.ROOT,
                "%-28s %10s %10s %10s %10s %12s %12s %10s%n",
                "%d clients".formatted(CLIENTS),
                "requests/s",
                "p50 us",
                "p99 us",
                "p99.9 us",
                "CPU us/req",
                "loop us/req",
                "polls/s");
        print("not watched", alone);
        print("watched", watched);
        System.out.printf(
                Locale.ROOT,
                "%-28s %10.3f %10.3f %10.3f %10.3f %12.3f %12.3f%n",
                "watched / not",
                watched.rate() / alone.rate(),
                watched.micros(50) / alone.micros(50),
                watched.micros(99) / alone.micros(99),
                watched.micros(99.9) / alone.micros(99.9),
                each(watched.cpuNanos, watched) / each(alone.cpuNanos, alone),
                each(watched.loopNanos, watched) / each(alone.loopNanos, alone));
        System.out.println("Errors: " + errors);
    }

    /** In microseconds for a request. */
    private static double each(long nanos, Found found) {
        return nanos / 1e3 / found.answers;
    }

    private static void print(String name, Found found) {
        System.out.printf(
                Locale.ROOT,
                "%-28s %10.0f %10.1f %10.1f %10.1f %12.1f %12.1f %10.1f%n",
                name,
                found.rate(),
                found.micros(50),
                found.micros(99),
                found.micros(99.9),
                each(found.cpuNanos, found),
                each(found.loopNanos, found),
                found.polls / found.seconds);
    }
}
