package dev.comporta.e2e.fleet;

import static org.awaitility.Awaitility.await;

import dev.comporta.app.Main;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One instance, started as {@code comporta run} starts it. What it says is in a file beside its configuration. */
final class ProxyProcess {
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern HEALTH = Pattern.compile("health on (http://localhost:\\d+/health)");
    private static final Pattern METRICS = Pattern.compile("metrics on (http://localhost:\\d+/metrics)");
    private static final Pattern SLOTS_OVER = Pattern.compile("bucket (\\S+): lease expired: closing (\\d+) server");
    private static final String EVENT_LOOP = "loop-";

    /** The numbers of epoll_wait and its kin, and of io_uring_enter, on the machines there are. */
    private static final Set<String> WAITS_FOR_EVENTS = Set.of("232", "281", "441", "22", "426");

    private static final Duration REST = Duration.ofSeconds(60);

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A test JVM that is ended must not leave a fleet behind.
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

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
        return start(name, config, buckets, Map.of());
    }

    static ProxyProcess start(String name, Path config, Path buckets, Map<String, String> environment)
            throws IOException {
        Path said = config.resolveSibling(config.getFileName() + ".log");
        // It lives for seconds: the better compiler and collector would only take the time of those who are measured.
        ProcessBuilder builder = new ProcessBuilder(
                        "env",
                        "--default-signal=HUP", // where the tests run under nohup, SIGHUP would be ignored
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
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        RUNNING.add(process);
        var _ = process.onExit().thenAccept(RUNNING::remove);
        return new ProxyProcess(name, process, said);
    }

    void awaitListening() {
        await(name + " listens").atMost(Duration.ofSeconds(60)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " did not start: " + Files.readString(said));
            }
            String text = Files.readString(said);
            Matcher line = LISTENING.matcher(text);
            if (line.find()) {
                port = Integer.parseInt(line.group(1));
            }
            return port != 0 && METRICS.matcher(text).find(); // the last it says of where it is
        });
    }

    int port() {
        return port;
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

    /** SIGHUP: it reads its files again. */
    void hangUp() throws IOException, InterruptedException {
        signal("HUP");
    }

    /** SIGSTOP. Returns when none of its threads runs any more: the one that is signalled stops the others. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
        await(name + " stands still")
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(1))
                .until(this::standsStill);
    }

    private boolean standsStill() throws IOException {
        try (Stream<Path> tasks = Files.list(threads())) {
            for (Path task : tasks.toList()) {
                // number (name) state …, and a name may have anything in it
                String stat = Files.readString(task.resolve("stat"));
                if (!stat.startsWith("T", stat.lastIndexOf(')') + 2)) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException e) {
            return false; // one has ended meanwhile
        }
    }

    private Path threads() {
        return Path.of("/proc", Long.toString(process.pid()), "task");
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

    /**
     * SIGSTOP, at a moment when its event loop waits for something to happen. Otherwise it could be stopped between
     * deciding that a client may have a connection and sending the client's request, and would send it after its wake.
     *
     * @param asWanted whether it is in a state in which it is to be stopped, as others see it
     */
    void freezeAtRest(Callable<Boolean> asWanted) throws Exception {
        freeze();
        long deadline = System.nanoTime() + REST.toNanos();
        while (!isAtRest() || !asWanted.call()) {
            thaw();
            if (System.nanoTime() > deadline) {
                throw new AssertionError(name + " was not at rest as wanted for " + REST);
            }
            freeze();
        }
    }

    private boolean isAtRest() throws IOException {
        try (Stream<Path> tasks = Files.list(threads())) {
            for (Path task : tasks.toList()) {
                if (Files.readString(task.resolve("comm")).startsWith(EVENT_LOOP)) {
                    String call = Files.readString(task.resolve("syscall")).split(" ")[0];
                    return WAITS_FOR_EVENTS.contains(call.trim());
                }
            }
        }
        throw new IllegalStateException(name + " has no event loop");
    }

    /** The local ports of its connections to that one, as the system tells. */
    Set<Integer> portsTowards(int remotePort) throws IOException {
        Map<String, Integer> ports = new HashMap<>();
        for (String table : new String[] {"tcp", "tcp6"}) {
            for (String line : Files.readAllLines(Path.of("/proc/net", table))) {
                // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
                String[] fields = line.trim().split("\\s+");
                if (fields[2].endsWith(String.format(Locale.ROOT, ":%04X", remotePort))) {
                    int local = Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16);
                    ports.put("socket:[" + fields[9] + "]", local);
                }
            }
        }
        Set<Integer> own = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
            for (Path file : files.toList()) {
                Integer local = ports.get(target(file));
                if (local != null) {
                    own.add(local);
                }
            }
        }
        return own;
    }

    /** Empty for one that was closed meanwhile. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** Whether it says of itself that something is amiss. */
    boolean isDegraded() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(addressOf(HEALTH))).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .contains("degraded");
        }
    }

    /** How many requests wait in this bucket's queue, by its metrics. */
    int waiting(String bucket) throws IOException, InterruptedException {
        String sample = "proxy_queue_length{bucket=\"" + bucket + "\"} ";
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(metricsAddress())).build();
            return client.send(request, HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith(sample))
                    .mapToInt(line -> (int) Double.parseDouble(line.substring(sample.length())))
                    .sum();
        }
    }

    String metricsAddress() throws IOException {
        return addressOf(METRICS);
    }

    private String addressOf(Pattern page) throws IOException {
        Matcher line = page.matcher(Files.readString(said));
        if (!line.find()) {
            throw new IllegalStateException(name + " does not tell where it is: " + Files.readString(said));
        }
        return line.group(1);
    }

    /** The lines of its log in which this occurs. */
    List<String> said(String what) throws IOException {
        return Files.readAllLines(said).stream()
                .filter(line -> line.contains(what))
                .toList();
    }

    /** How many slots of this bucket it has lost so far because their lease was over. */
    int slotsOver(String bucket) throws IOException {
        return SLOTS_OVER
                .matcher(Files.readString(said))
                .results()
                .filter(line -> line.group(1).equals(bucket))
                .mapToInt(line -> Integer.parseInt(line.group(2)))
                .sum();
    }

    @Override
    public String toString() {
        return name;
    }
}
