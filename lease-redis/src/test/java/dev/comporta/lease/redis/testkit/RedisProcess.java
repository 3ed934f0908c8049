package dev.comporta.lease.redis.testkit;

import dev.comporta.lease.redis.RedisEndpoint;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import redis.embedded.RedisExecProvider;

/** A real Redis that keeps nothing on disk: restarted, it is empty. */
public final class RedisProcess implements AutoCloseable {
    /** A node of a cluster listens on this port too, counted from its own. */
    private static final int CLUSTER_BUS = 10_000;

    private static final String READY = "Ready to accept connections";
    /** The answer to QUIT. */
    private static final String GOODBYE = "+OK\r\n";

    /** Replicas are sent what there is at once, and neither side writes it to a file. */
    private static final List<String> SMALL = List.of(
            "bind 127.0.0.1",
            "save \"\"",
            "appendonly no",
            "maxmemory 64mb",
            "repl-diskless-sync yes",
            "repl-diskless-sync-delay 0",
            "repl-diskless-load swapdb");

    /** Test processes with neighbouring ids search far apart: between the look at a port and its use another could take it. */
    private static final long STRIDE = 3089;

    private static final Set<Integer> TAKEN = new HashSet<>();
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    /** The program that comes with the library; unpacked once. */
    private static final class Program {
        static final Path FILE;

        static {
            try {
                FILE = RedisExecProvider.defaultProvider().get().toPath();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final int port;
    private final String[] settings;
    private Process process;

    /** @param settings lines of Redis' configuration, beyond what makes it small and forgetful */
    public RedisProcess(String... settings) throws IOException {
        this(freePort(), settings);
    }

    public RedisProcess(int port, String... settings) throws IOException {
        this.port = port;
        this.settings = settings;
        process = start();
    }

    /** Below the range that outgoing connections take theirs from, with its bus, so that nobody has it after a restart. */
    public static synchronized int freePort() {
        int port = 12_000 + (int) (ProcessHandle.current().pid() * STRIDE % 5000);
        while (TAKEN.contains(port) || !isFree(port) || !isFree(port + CLUSTER_BUS)) {
            port++;
        }
        TAKEN.add(port);
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port)) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private Process start() throws IOException {
        List<String> lines = new ArrayList<>(SMALL);
        lines.add("port " + port);
        lines.addAll(List.of(settings));
        Process started = new ProcessBuilder(executable().toString(), "-")
                .redirectErrorStream(true)
                .start();
        RUNNING.add(started);
        try (var in = started.outputWriter(StandardCharsets.UTF_8)) {
            in.write(String.join("\n", lines));
        }
        awaitReady(started);
        return started;
    }

    private static void awaitReady(Process started) throws IOException {
        BufferedReader said = started.inputReader(StandardCharsets.UTF_8);
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line == null || !line.contains(READY); line = said.readLine()) {
            if (line == null) {
                throw new IOException("Redis did not start: " + all);
            }
            all.append(line).append('\n');
        }
        // It would stand still when nobody reads what it says.
        Thread.ofVirtual().start(() -> {
            try {
                said.transferTo(Writer.nullWriter());
            } catch (IOException e) {
                // It has ended.
            }
        });
    }

    public static Path executable() {
        return Program.FILE;
    }

    public int port() {
        return port;
    }

    public RedisEndpoint endpoint() {
        return RedisEndpoint.standalone("127.0.0.1", port).withCommandTimeout(Duration.ofMillis(500));
    }

    /** In order, by SIGTERM. */
    public void stop() {
        process.destroy();
        ended();
    }

    /** By SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        ended();
    }

    private void ended() {
        process.onExit().join();
        RUNNING.remove(process);
    }

    public void startEmpty() throws IOException {
        process = start();
    }

    /** SIGSTOP: its connections stay open, and nothing is answered on them. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill -" + signal + " of Redis: " + exit);
        }
    }

    /** Commands carried out so far, those inside scripts included. */
    public long commands() {
        return ask("INFO stats")
                .lines()
                .filter(line -> line.startsWith("total_commands_processed:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                .findFirst()
                .orElseThrow();
    }

    /** How many are subscribed to this channel, which is sharded on a cluster. */
    public long listeners(String channel) {
        String which = List.of(settings).contains("cluster-enabled yes") ? "SHARDNUMSUB " : "NUMSUB ";
        String answer = ask("PUBSUB " + which + channel);
        return Long.parseLong(answer.substring(answer.lastIndexOf(':') + 1));
    }

    /** What it answers to a command, without what RESP puts around a string. */
    public String ask(String command) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!all.endsWith(GOODBYE)) {
                throw new EOFException(command + " was not answered"); // by one that stops, or is being promoted
            }
            String answer = all.substring(0, all.length() - GOODBYE.length());
            if (answer.startsWith("-")) {
                throw new IllegalStateException(command + ": " + answer);
            }
            return (answer.startsWith("$") ? answer.substring(answer.indexOf('\n')) : answer).trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
