package dev.comporta.e2e.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs another program to its end, and no longer than it may. */
final class Command {
    /** Far more than any scenario takes, on a busy machine too. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    /** What a program said. Output and errors are the whole text. */
    record Result(int status, String output, String errors) {
        List<String> lines() {
            return output.lines().toList();
        }
    }

    private Command() {}

    static Result run(List<String> command, Map<String, String> environment, String input)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        Process process = start(builder);
        try {
            CompletableFuture<String> output = collect(process.getInputStream());
            CompletableFuture<String> errors = collect(process.getErrorStream());
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException programLeftEarly) {
                // Its status and errors tell why, and they are what is looked at.
            }
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError(command + " did not end in " + PATIENCE.toSeconds() + " s. It said:\n"
                        + output.join() + errors.join());
            }
            return new Result(process.exitValue(), output.join(), errors.join());
        } finally {
            process.destroyForcibly();
        }
    }

    static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException missing) {
            throw new AssertionError(
                    builder.command().getFirst() + " is not installed. `./comporta test` installs what is missing.",
                    missing);
        }
    }

    private static CompletableFuture<String> collect(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                // Reading from a process holds a thread of the system, which virtual threads have few of.
                task -> Thread.ofPlatform().daemon().start(task));
    }
}
