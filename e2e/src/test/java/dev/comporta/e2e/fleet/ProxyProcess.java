package dev.comporta.e2e.fleet;

import static org.awaitility.Awaitility.await;

import dev.comporta.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One instance, started as {@code comporta run} starts it. What it says is in a file beside its configuration. */
final class ProxyProcess {
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");
    private static final String ESTABLISHED = "01";

    final String name;
    private final Process process;
    private final Path said;
    private volatile int port;

    private ProxyProcess(String name, Process process, Path said) {
        this.name = name;
        this.process = process;
        this.said = said;
    }

    /** Does not wait until it listens: several start at the same time. */
    static ProxyProcess start(String name, Path config, Path buckets) throws IOException {
        Path said = config.resolveSibling(name + ".log");
        // It lives for seconds: the better compiler and collector would only take the time of those who are measured.
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        "--config",
                        config.toString(),
                        "--buckets",
                        buckets.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        return new ProxyProcess(name, process, said);
    }

    void awaitListening() {
        await(name + " listens").atMost(Duration.ofSeconds(60)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " did not start: " + Files.readString(said));
            }
            Matcher line = LISTENING.matcher(Files.readString(said));
            if (line.find()) {
                port = Integer.parseInt(line.group(1));
            }
            return port != 0;
        });
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + port
                + ";databaseName=" + FleetOfProcesses.DATABASE
                + ";encrypt=false;trustServerCertificate=true;connectRetryCount=0;loginTimeout=60;user=sa;password="
                + FleetOfProcesses.PASSWORD);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL. Returns when the system has closed its sockets. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGTERM. Returns when it has ended. */
    int stopInOrder() throws InterruptedException {
        process.toHandle().destroy();
        return process.waitFor();
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException("kill -" + signal + " of " + name + ": " + exit);
        }
    }

    /** How many connections it has open to that port, as the system tells: a frozen process can't be asked itself. */
    int connectionsTo(int remotePort) throws IOException {
        Set<String> inodes = new HashSet<>();
        for (String table : new String[] {"tcp", "tcp6"}) {
            for (String line : Files.readAllLines(Path.of("/proc/net", table))) {
                // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
                String[] fields = line.trim().split("\\s+");
                if (fields[2].endsWith(String.format(Locale.ROOT, ":%04X", remotePort))
                        && fields[3].equals(ESTABLISHED)) {
                    inodes.add("socket:[" + fields[9] + "]");
                }
            }
        }
        int count = 0;
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.isSymbolicLink(file)
                        && inodes.contains(Files.readSymbolicLink(file).toString())) {
                    count++;
                }
            }
        }
        return count;
    }

    @Override
    public String toString() {
        return name;
    }
}
