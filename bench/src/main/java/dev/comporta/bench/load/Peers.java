package dev.comporta.bench.load;

import dev.comporta.bench.stats.Quartiles;
import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures requests per second, latency and CPU per request without a proxy, through HAProxy as a blind TCP relay, and
 * through Comporta, in one run on one machine. Each part is a separate process, so that its CPU time can be measured. They
 * run in turns, so that other load and the clock rate of the machine affect all of them alike.
 */
public final class Peers {
    private static final int SERVER_PORT = 21433;
    private static final int HAPROXY_PORT = 21434;
    /** The first of the ports, one for each kind of {@link Transport} that is available. */
    private static final int COMPORTA_PORT = 21445;
    /** The first port of the other checkout. Older versions listen on this port, whatever their arguments are. */
    private static final int OTHER_PORT = 21435;

    /** Attempts to connect to a port, 50 ms apart: on a busy machine a process starts slowly. */
    private static final int MOST_TRIES = 1200;

    private static final int LIMIT = 50;
    private static final int WARM_UP_MILLIS = 4_000;
    private static final int TURN_MILLIS = 1_000;
    private static final int DEFAULT_ROUNDS = 8;

    private record Load(String title, int clients, Query query) {
        /**
         * With thousands of clients, HAProxy would need as many server connections; and with another checkout, the direct
         * clients would exceed a process's limit of open files.
         */
        boolean takes(Part part, boolean withOther) {
            return clients < 1_000 || (part.port != HAPROXY_PORT && !(withOther && part.process == null));
        }
    }

    private static final List<Load> LOADS = List.of(
            new Load("1 client", 1, Query.ONE_ROW),
            new Load("50 clients", 50, Query.ONE_ROW),
            new Load("20 clients, 2,000 rows each", 20, Query.MANY_ROWS),
            new Load("4,000 clients", 4_000, Query.ONE_ROW));

    /** A part that clients can connect to. */
    private record Part(String name, @Nullable Process process, int port) {}

    private Peers() {}

    /**
     * Arguments: the number of rounds (8), and another built checkout to compare with this one. With {@code server} or {@code
     * comporta} it runs as a part, which the comparison starts.
     */
    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "server" -> serve();
            case "comporta" -> comporta(Transport.valueOf(args[1]), Integer.parseInt(args[2]));
            default ->
                compare(
                        args.length > 0 ? Integer.parseInt(args[0]) : DEFAULT_ROUNDS,
                        args.length > 1 ? Path.of(args[1]) : null);
        }
    }

    private static void serve() throws InterruptedException {
        InstantServer.start(Sockets.loops(1), Sockets.best(), SERVER_PORT);
        Thread.currentThread().join();
    }

    private static void comporta(Transport transport, int port) throws IOException, InterruptedException {
        BenchProxy.start(transport, port, ClientTls.off(), SERVER_PORT, LIMIT);
        Thread.currentThread().join();
    }

    private static void compare(int rounds, @Nullable Path other) throws Exception {
        List<Process> started = new ArrayList<>();
        try {
            started.add(java(Peers.class, "server"));
            List<Part> parts = new ArrayList<>();
            parts.add(new Part("direct", null, SERVER_PORT));
            parts.add(new Part("HAProxy, TCP relay", haproxy(), HAPROXY_PORT));
            String ownClasses = System.getProperty("java.class.path");
            comporta("Comporta", ownClasses, COMPORTA_PORT, parts);
            if (other != null) {
                String classes = "%s/bench/target/classes:%<s/bench/target/lib/*".formatted(other.toAbsolutePath());
                comporta("other checkout", classes, OTHER_PORT, parts);
            }
            for (Part part : parts) {
                if (part.process != null) {
                    started.add(part.process);
                }
            }
            for (Part part : parts) {
                awaitPort(part.port);
            }
            for (Load load : LOADS) {
                List<Part> these =
                        parts.stream().filter(p -> load.takes(p, other != null)).toList();
                measure(load, these, rounds);
            }
        } finally {
            started.forEach(Process::destroy);
        }
    }

    /** Starts a proxy for each of the kernel's socket interfaces that is available. */
    private static void comporta(String name, String classes, int firstPort, List<Part> parts) throws IOException {
        List<Transport> available = Stream.of(Transport.EPOLL, Transport.IO_URING)
                .filter(Transport::isAvailable)
                .toList();
        int port = firstPort;
        for (Transport transport : available.isEmpty() ? List.of(Transport.NIO) : available) {
            List<String> command = command(classes, Peers.class, "comporta", transport.name(), Integer.toString(port));
            String title = "%s, %s".formatted(name, transport.name().toLowerCase(Locale.ROOT));
            parts.add(new Part(title, new ProcessBuilder(command).inheritIO().start(), port));
            port++;
        }
    }

    private static void measure(Load load, List<Part> parts, int rounds) throws Exception {
        EventLoopGroup loops = Sockets.loops(1);
        try {
            List<Contender> contenders = new ArrayList<>();
            for (Part part : parts) {
                LoadClient.Run run = new LoadClient.Run(load.clients, 0, load.query);
                contenders.add(new Contender(part.name, part.process, part.port, run, loops));
            }
            for (Contender contender : contenders) {
                contender.warmUp(WARM_UP_MILLIS);
            }
            for (int i = 0; i < rounds; i++) {
                // The order alternates, so that a steady change affects the first as much as the last.
                for (Contender contender : i % 2 == 0 ? contenders : contenders.reversed()) {
                    contender.turn(TURN_MILLIS);
                }
            }
            print(load.title, contenders);
            contenders.forEach(Contender::leave);
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Prints medians of the turns; ratios are medians over the rounds, relative to the first part or HAProxy. */
    private static void print(String title, List<Contender> contenders) {
        Contender first = contenders.get(0);
        Contender reference = contenders.stream()
                .filter(c -> c.name().startsWith("HAProxy"))
                .findFirst()
                .orElse(first);
        System.out.printf(
                "%n%-28s requests/s   CPU us/req     p50 us     p99 us %22s %22s%n",
                title,
                "rate by " + reference.name().split("[ ,]", -1)[0],
                reference.countsCpu() ? "CPU by HAProxy" : "");
        for (Contender each : contenders) {
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %10.0f %12s %10.1f %10.1f %22s %22s%s%n",
                    each.name(),
                    Quartiles.of(each.rates()).median(),
                    each.countsCpu()
                            ? "%.1f".formatted(Quartiles.of(each.cpuMicros()).median())
                            : "",
                    each.micros(50),
                    each.micros(99),
                    Quartiles.ofRatios(each.rates(), reference.rates()),
                    each.countsCpu() && reference.countsCpu()
                            ? Quartiles.ofRatios(each.cpuMicros(), reference.cpuMicros())
                            : "",
                    each.errors() == 0 ? "" : "  %d errors".formatted(each.errors()));
        }
    }

    private static Process java(Class<?> main, String... part) throws IOException {
        return new ProcessBuilder(command(main, part)).inheritIO().start();
    }

    /** The command that starts a class of this class path in a separate process. */
    static List<String> command(Class<?> main, String... part) {
        return command(System.getProperty("java.class.path"), main, part);
    }

    private static List<String> command(String classes, Class<?> main, String... part) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments()); // the options of ./comporta run
        command.addAll(List.of("-cp", classes, main.getName()));
        command.addAll(List.of(part));
        return command;
    }

    private static Process haproxy() throws IOException {
        Path config = Files.createTempFile("haproxy", ".cfg");
        Files.writeString(config, """
                global
                    maxconn 5000
                    nbthread 1
                defaults
                    mode tcp
                    timeout connect 5s
                    timeout client 5m
                    timeout server 5m
                listen tds
                    bind 127.0.0.1:%d
                    server one 127.0.0.1:%d
                """.formatted(HAPROXY_PORT, SERVER_PORT));
        return new ProcessBuilder("haproxy", "-f", config.toString())
                .inheritIO()
                .start();
    }

    static void awaitPort(int port) throws InterruptedException {
        for (int i = 0; i < MOST_TRIES; i++) {
            try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        throw new IllegalStateException("nothing listens on port " + port);
    }

    /** User and system time, from the kernel: in ticks of 10 ms. */
    public static long cpuNanos(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10_000_000L;
    }
}
