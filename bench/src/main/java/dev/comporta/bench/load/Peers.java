package dev.comporta.bench.load;

import dev.comporta.proxy.listen.Transport;
import dev.comporta.proxy.login.ClientTls;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Requests per second, latency and CPU per request through nothing, through HAProxy as a blind TCP relay, and through
 * Comporta, in one run and on one machine. Each part is a process of its own, so that its CPU time is its own.
 */
public final class Peers {
    private static final int SERVER_PORT = 21433;
    private static final int HAPROXY_PORT = 21434;
    /** And the next ones: of each kind of {@link Transport} that there is. */
    private static final int COMPORTA_PORT = 21435;

    /** To connect to a port, 50 ms apart: on a busy machine a process takes its time to start. */
    private static final int MOST_TRIES = 1200;

    private static final int LIMIT = 50;
    private static final int MOST_CLIENTS = 4000;
    private static final int WARM_UP_SECONDS = 4;
    private static final int SECONDS = 6;

    private Peers() {}

    /** With no argument: the comparison. With one: a part of it, which the comparison starts. */
    public static void main(String[] args) throws Exception {
        switch (args.length == 0 ? "" : args[0]) {
            case "server" -> serve();
            case "comporta" -> comporta(Transport.valueOf(args[1]));
            default -> compare();
        }
    }

    private static void serve() throws InterruptedException {
        InstantServer.start(Sockets.loops(1), Sockets.best(), SERVER_PORT);
        Thread.currentThread().join();
    }

    private static void comporta(Transport transport) throws IOException, InterruptedException {
        ClientTls plain = ClientTls.off();
        BenchProxy.start(transport, portOf(transport), plain, SERVER_PORT, LIMIT);
        Thread.currentThread().join();
    }

    private static void compare() throws Exception {
        List<Process> started = new ArrayList<>();
        try {
            Process server = java(Peers.class, "server");
            started.add(server);
            Map<Transport, Process> comporta = new EnumMap<>(Transport.class);
            for (Transport transport : transports()) {
                Process process = java(Peers.class, "comporta", transport.name());
                started.add(process);
                comporta.put(transport, process);
            }
            Process haproxy = haproxy();
            started.add(haproxy);
            awaitPort(SERVER_PORT);
            awaitPort(HAPROXY_PORT);
            for (Transport transport : comporta.keySet()) {
                awaitPort(portOf(transport));
            }
            System.out.printf("%-28s %10s %12s %10s %10s%n", "", "requests/s", "CPU us/req", "p50 us", "p99 us");
            for (int clients : new int[] {1, 50}) {
                report("direct", clients, SERVER_PORT, null);
                report("HAProxy, TCP relay", clients, HAPROXY_PORT, haproxy);
                report(comporta, clients);
            }
            report("direct", MOST_CLIENTS, SERVER_PORT, null);
            report(comporta, MOST_CLIENTS);
        } finally {
            started.forEach(Process::destroy);
        }
    }

    /** The kernel's own interfaces, as far as they are to be had: {@code auto} takes one of them where there is one. */
    private static List<Transport> transports() {
        List<Transport> available = Stream.of(Transport.IO_URING, Transport.EPOLL)
                .filter(Transport::isAvailable)
                .toList();
        return available.isEmpty() ? List.of(Transport.NIO) : available;
    }

    private static int portOf(Transport transport) {
        return switch (transport) {
            case EPOLL -> COMPORTA_PORT;
            case IO_URING -> COMPORTA_PORT + 1;
            case NIO -> COMPORTA_PORT + 2;
        };
    }

    private static void report(Map<Transport, Process> comporta, int clients) throws Exception {
        for (Map.Entry<Transport, Process> each : comporta.entrySet()) {
            String name = "Comporta, " + each.getKey().name().toLowerCase(Locale.ROOT);
            report(name, clients, portOf(each.getKey()), each.getValue());
        }
    }

    private static void report(String name, int clients, int port, @Nullable Process measured) throws Exception {
        LoadClient.Run run = new LoadClient.Run(clients);
        EventLoopGroup loops = Sockets.loops(1);
        try {
            List<Channel> channels = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                channels.add(LoadClient.connect(loops, Sockets.best(), port, run));
            }
            if (!run.loggedIn.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException(run.loggedIn.getCount() + " clients could not log in");
            }
            run.asking = true;
            channels.forEach(LoadClient::begin);
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            long cpuBefore = measured == null ? 0 : cpuNanos(measured);
            long before = System.nanoTime();
            run.measuring = true;
            TimeUnit.SECONDS.sleep(SECONDS);
            run.measuring = false;
            double seconds = (System.nanoTime() - before) / 1e9;
            long cpu = measured == null ? 0 : cpuNanos(measured) - cpuBefore;
            run.asking = false;
            long answers = run.answers.sum();
            System.out.printf(
                    "%-28s %10.0f %12s %10.1f %10.1f   (%d clients%s)%n",
                    name,
                    answers / seconds,
                    measured == null ? "" : "%.1f".formatted(cpu / 1e3 / answers),
                    run.nanos.getValueAtPercentile(50) / 1e3,
                    run.nanos.getValueAtPercentile(99) / 1e3,
                    clients,
                    run.errors.sum() == 0 ? "" : ", " + run.errors.sum() + " errors");
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static Process java(Class<?> main, String... part) throws IOException {
        return new ProcessBuilder(command(main, part)).inheritIO().start();
    }

    /** What starts a class of this class path in a process of its own. */
    static List<String> command(Class<?> main, String... part) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments()); // those of ./comporta run
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
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
                    timeout client 60s
                    timeout server 60s
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
