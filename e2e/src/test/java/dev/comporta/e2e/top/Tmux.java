package dev.comporta.e2e.top;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** A shell in a terminal that nobody sees: tmux keeps its screen, and presses its keys. */
final class Tmux implements AutoCloseable {
    /** A JVM that starts on a busy machine takes a while. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path socket;

    /** @param environment {@code NAME=value} */
    Tmux(Path directory, int width, int height, List<String> environment) throws IOException {
        socket = directory.resolve("tmux");
        List<String> start = new ArrayList<>(
                List.of("new-session", "-d", "-x", "" + width, "-y", "" + height, "env", "LC_ALL=C.UTF-8"));
        start.addAll(environment);
        start.addAll(List.of("PS1=ready> ", "sh"));
        tmux(start.toArray(String[]::new));
        awaitScreen("a prompt", screen -> screen.contains("ready>"));
    }

    private String tmux(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("tmux", "-u", "-S", socket.toString(), "-f", "/dev/null"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            throw new AssertionError("tmux is not installed. `./comporta test` installs what is missing.", missing);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        // It has said all: what is left of it takes no time.
        if (process.onExit().join().exitValue() != 0) {
            throw new AssertionError(command + ": " + said);
        }
        return said;
    }

    /** By their names in tmux: Enter, Escape, Down, C-c, or a letter. */
    void press(String... keys) throws IOException {
        for (String key : keys) {
            tmux("send-keys", key);
        }
    }

    /** Types a line. */
    void type(String line) throws IOException {
        tmux("send-keys", "-l", line);
        press("Enter");
    }

    String screen() {
        try {
            return tmux("capture-pane", "-p");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    List<String> lines() {
        return screen().lines().toList();
    }

    void awaitScreen(String what, Predicate<String> condition) {
        try {
            await(what).atMost(PATIENCE).until(this::screen, condition::test);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("the screen never showed " + what + ":\n" + screen(), e);
        }
    }

    /** Whether the screen is the one that full-screen programs use. */
    boolean isOtherScreen() throws IOException {
        return tmux("display-message", "-p", "#{alternate_on}").strip().equals("1");
    }

    boolean isCursorShown() throws IOException {
        return tmux("display-message", "-p", "#{cursor_flag}").strip().equals("1");
    }

    void resize(int width, int height) throws IOException {
        tmux("resize-window", "-x", "" + width, "-y", "" + height);
    }

    @Override
    public void close() throws IOException {
        tmux("kill-server");
    }
}
