package dev.comporta.lease.dynamodb.testkit;

import com.almworks.sqlite4java.SQLite;
import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A DynamoDBLocal that keeps everything in memory, as a process of its own: killed and started again, it has no table. */
public final class DynamoProcess implements AutoCloseable {
    public static final String REGION = "eu-west-1";

    /** DynamoDBLocal believes any; the SDK must find some. */
    public static final Map<String, String> CREDENTIALS =
            Map.of("AWS_ACCESS_KEY_ID", "test", "AWS_SECRET_ACCESS_KEY", "test", "AWS_EC2_METADATA_DISABLED", "true");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Test processes with neighbouring ids search far apart: between the look at a port and its use another could take it. */
    private static final long STRIDE = 3089;

    private static final Set<Integer> TAKEN = new HashSet<>();
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(() -> RUNNING.forEach(Process::destroyForcibly)));
        // What this process itself calls it with.
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
    }

    private final int port;
    private Process process;

    public DynamoProcess() throws IOException {
        port = freePort();
        process = start();
    }

    /** Below the range that outgoing connections take theirs from, so that nobody has it after a restart. */
    private static synchronized int freePort() {
        int port = 18_000 + (int) (ProcessHandle.current().pid() * STRIDE % 5000);
        while (!TAKEN.add(port) || !isFree(port)) {
            port++;
        }
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dsqlite4java.library.path=" + nativeLibrary(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerRunner.class.getName(),
                        "-inMemory",
                        "-sharedDb",
                        "-disableTelemetry",
                        "-port",
                        Integer.toString(port))
                .redirectErrorStream(true)
                .start();
        RUNNING.add(started);
        StringBuilder said = new StringBuilder();
        Thread.ofVirtual().start(() -> read(started, said));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isListening()) {
            if (!started.isAlive() || System.nanoTime() > deadline) {
                started.destroyForcibly();
                synchronized (said) {
                    throw new IOException("DynamoDBLocal did not start: " + said);
                }
            }
            try {
                started.waitFor(50, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return started;
    }

    private static void read(Process started, StringBuilder said) {
        try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
            lines.transferTo(new Writer() {
                @Override
                public void write(char[] text, int from, int length) {
                    synchronized (said) {
                        said.append(text, from, length);
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            });
        } catch (IOException e) {
            // It has ended.
        }
    }

    /** Maven puts it beside the jar that needs it, in a folder of its own, and not on the class path. */
    private static Path nativeLibrary() throws IOException {
        try {
            Path jar = Path.of(SQLite.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path version = jar.getParent().getFileName();
            try (Stream<Path> siblings = Files.list(jar.getParent().getParent().getParent())) {
                String machine = System.getProperty("os.name").startsWith("Mac") ? "osx" : "linux-amd64";
                return siblings.filter(folder -> folder.getFileName().toString().equals("libsqlite4java-" + machine))
                        .map(folder -> folder.resolve(version))
                        .findFirst()
                        .orElseThrow(() -> new IOException("DynamoDBLocal needs libsqlite4java-" + machine));
            }
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** By SIGKILL: what it knew is gone. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
        RUNNING.remove(process);
    }

    public void startEmpty() {
        try {
            process = start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGSTOP: its connections stay open, and nothing is answered on them. */
    public void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            List<String> command = List.of("kill", "-" + signal, Long.toString(process.pid()));
            if (new ProcessBuilder(command).start().waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
