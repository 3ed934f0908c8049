package dev.comporta.e2e.topology;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;

/** A process of the topology. What it says is in a file, and it does not outlive the tests. */
final class Service implements AutoCloseable {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final String name;
    private final Process process;
    private final Path said;

    private Service(String name, Process process, Path said) {
        this.name = name;
        this.process = process;
        this.said = said;
    }

    static Service start(String name, Path directory, ProcessBuilder command) throws IOException {
        Path said = directory.resolve(name + ".log");
        Process process = command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
                .start();
        RUNNING.add(process);
        var _ = process.onExit().thenAccept(RUNNING::remove);
        return new Service(name, process, said);
    }

    /** Returns when this address answers with 200. */
    void awaitAnswer(String address) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            await(() ->
                    http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200);
        }
    }

    /** Returns when somebody listens on this port. */
    void awaitListening(int port) {
        await(() -> {
            try (Socket connected = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return connected.isConnected();
            }
        });
    }

    /** @param isThere fails with an IOException as long as nobody is */
    private void await(Callable<Boolean> isThere) {
        Awaitility.await(name + " is there").atMost(Duration.ofSeconds(180)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " has ended: " + said());
            }
            try {
                return isThere.call();
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    /** By SIGKILL. Returns when the system has closed its sockets. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Its exit code, when it has ended by itself. */
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    private String said() throws IOException {
        return Files.readString(said);
    }

    @Override
    public void close() {
        kill();
    }
}
