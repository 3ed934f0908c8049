package dev.comporta.e2e.book;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A clone on a machine of its own, and a shell in it: a network in which all ports are free and the names of the pages are
 * known, so that commands run as they are written. Needs root, {@code unshare} and {@code ip}.
 */
final class Scene implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String PASSWORD = "Trial-2026";

    /** What the shell itself complains of. */
    private static final String ERRORS = ".errors";

    /** The server's address is another than the proxy's: both want port 1433. */
    private static final String SERVER = "127.0.0.2";

    private static final String HOSTS = """
            127.0.0.1 localhost proxy-1 proxy-2
            %s sql-1.internal
            """.formatted(SERVER);

    private final Path directory;
    private final Process process;
    private final BufferedWriter input;
    private final BufferedReader output;
    private int blocks;

    private Scene(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
        input = process.outputWriter(StandardCharsets.UTF_8);
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    static Scene open(Path directory) throws IOException {
        Clone.make(Files.createDirectory(directory));
        Files.writeString(directory.resolve(".hosts"), HOSTS);
        ProcessBuilder shell = new ProcessBuilder(
                        "unshare", "--net", "--mount-proc", "--pid", "--fork", "--kill-child", "bash", "--norc")
                .directory(directory.toFile())
                .redirectError(directory.resolve(ERRORS).toFile());
        shell.environment()
                .putAll(Map.of(
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        // They live for seconds: a better compiler and collector would only take their time.
                        "JDK_JAVA_OPTIONS",
                        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
                        "PASSWORD",
                        PASSWORD));
        Scene scene = new Scene(directory, shell.start());
        try {
            scene.send("set -eo pipefail; ip link set lo up; mount --bind .hosts /etc/hosts; echo ready");
            scene.awaitLine("ready", ERRORS);
        } catch (IOException | AssertionError e) {
            scene.close();
            throw e;
        }
        return scene;
    }

    /** The server that the pages tell their readers to replace by their own. */
    void startServer() throws IOException {
        start(
                "\"$JAVA_HOME/bin/java\" -cp app/target/lib/all.jar " + StandinProcess.class.getName() + " " + SERVER
                        + " Orders app \"$PASSWORD\"\n",
                StandinProcess.READY);
    }

    void save(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    /** Runs all of it, to its end. Variables and functions stay for the next one. */
    String run(String commands) throws IOException {
        String said = ".said-" + write(commands);
        send(". ./.block-" + blocks + " </dev/null >" + said + " 2>&1; echo done-" + blocks);
        awaitLine("done-" + blocks, said);
        return Files.readString(directory.resolve(said));
    }

    /** Leaves it running, once it has said this. */
    void start(String commands, String shows) throws IOException {
        int number = write(commands);
        send("( set +e; . ./.block-" + number + "; echo \"it ended with $?\" ) </dev/null >.said-" + number
                + " 2>&1 &");
        await("\"" + shows + "\" from " + commands)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    String text = text(".said-" + number);
                    if (text.contains("it ended with")) {
                        throw new AssertionError(commands + text);
                    }
                    return text.contains(shows);
                });
    }

    private int write(String commands) throws IOException {
        blocks++;
        Files.writeString(directory.resolve(".block-" + blocks), commands);
        return blocks;
    }

    private void send(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    /** A command that fails ends the shell. */
    private void awaitLine(String expected, String said) throws IOException {
        String line = output.readLine();
        if (!expected.equals(line)) {
            throw new AssertionError("failed:\n" + text(said) + text(ERRORS));
        }
    }

    private String text(String file) throws IOException {
        Path path = directory.resolve(file);
        return Files.exists(path) ? Files.readString(path) : "";
    }

    /** Everything that runs in it ends with it. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
