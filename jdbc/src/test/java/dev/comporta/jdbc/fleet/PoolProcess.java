package dev.comporta.jdbc.fleet;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@link PoolInstance}, and what can be done to it from outside. */
final class PoolProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ANSWER = "> ";
    private static final Pattern EXPIRED = Pattern.compile("lease expired: closing (\\d+) server");
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // A test JVM that is ended must not leave a fleet behind.
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    /** What it has. */
    record State(int held, int failed, int open) {}

    private final String name;
    private final Process process;
    private final BufferedWriter orders;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final AtomicInteger expired = new AtomicInteger();
    private final StringBuffer said = new StringBuffer();

    private PoolProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        orders = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(this::listen);
    }

    /** Does not wait until it is ready: several start at the same time. */
    static PoolProcess start(String name, Map<String, String> environment, Map<String, String> settings)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                PoolInstance.class.getName()));
        settings.forEach((key, value) -> command.add(key + "=" + value));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        RUNNING.add(process);
        var _ = process.onExit().thenAccept(RUNNING::remove);
        return new PoolProcess(name, process);
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.append(line).append('\n');
                Matcher over = EXPIRED.matcher(line);
                if (over.find()) {
                    expired.addAndGet(Integer.parseInt(over.group(1)));
                } else if (line.startsWith(ANSWER) && !line.startsWith(ANSWER + "failed")) {
                    answers.add(line.substring(ANSWER.length()));
                }
            }
        } catch (IOException e) {
            // It has ended.
        }
    }

    void awaitReady() throws InterruptedException {
        String answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (!"ready".equals(answer)) {
            throw new IllegalStateException(name + " did not start: " + said);
        }
    }

    /** Asks for so many connections more. */
    void hold(int connections) {
        for (int i = 0; i < connections; i++) {
            order("hold");
        }
    }

    /** Gives all back. */
    void release() {
        order("release");
    }

    State state() {
        order("tell");
        try {
            String answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (answer == null) {
                throw new IllegalStateException(name + " does not answer: " + said);
            }
            String[] numbers = answer.split(" ");
            return new State(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Slots it has lost so far because their lease was over. */
    int expired() {
        return expired.get();
    }

    String said() {
        return said.toString();
    }

    private void order(String what) {
        try {
            orders.write(what + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " takes no orders: " + said, e);
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGSTOP. Returns when none of its threads runs any more. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        await(name + " stands still").atMost(PATIENCE).until(() -> {
            String text = Files.readString(stat);
            return text.startsWith("T", text.lastIndexOf(')') + 2);
        });
    }

    /** SIGCONT. */
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

    /** In order: it closes its pool, and ends. */
    void stop() throws IOException, InterruptedException {
        orders.close();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not end: " + said);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
