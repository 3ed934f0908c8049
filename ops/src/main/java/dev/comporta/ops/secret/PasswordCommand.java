package dev.comporta.ops.secret;

import dev.comporta.ops.config.value.HiddenText;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command that prints a password: the first line of its standard output, without the blanks around it. It runs without a
 * shell, and blocks the calling thread for the timeout at most.
 *
 * @param arguments the command first
 * @param environment added to the environment of this process
 */
public record PasswordCommand(List<String> arguments, Duration timeout, Map<String, String> environment) {
    /** In characters: LOGIN7 has no room for more. */
    static final int LONGEST_PASSWORD = 128;
    /** In bytes: enough for a password and some further lines, which are ignored. */
    private static final int MOST_OUTPUT = 8192;

    private static final int LONGEST_COMPLAINT = 200;

    public PasswordCommand {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /** @throws IOException with what the command did instead; never with the password that it printed */
    public HiddenText run() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(arguments).redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        long deadline = System.nanoTime() + timeout.toNanos();
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IOException(name() + " can't be run: " + e.getMessage(), e);
        }
        try {
            CompletableFuture<byte[]> complaint = read(process.getErrorStream(), false);
            byte[] output = await(read(process.getInputStream(), true), deadline);
            if (output.length > MOST_OUTPUT) {
                throw new IOException(name() + " printed more than " + MOST_OUTPUT + " bytes");
            }
            if (!process.waitFor(left(deadline), TimeUnit.NANOSECONDS)) {
                throw tooSlow();
            }
            String password = firstLine(output);
            if (process.exitValue() != 0) {
                String said = shown(firstLine(await(complaint, deadline)), password);
                throw new IOException(name() + " ended with code " + process.exitValue() + said);
            }
            return checked(password);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private HiddenText checked(String password) throws IOException {
        if (password.isEmpty()) {
            throw new IOException(name() + " printed no password: the first line of its output is empty");
        }
        if (password.length() > LONGEST_PASSWORD) {
            throw new IOException(name() + " printed a first line of " + password.length()
                    + " characters: a password has " + LONGEST_PASSWORD + " at most");
        }
        return HiddenText.of(password);
    }

    /** On a thread of its own: reading from a pipe has no timeout. */
    private static CompletableFuture<byte[]> read(InputStream from, boolean stopAtMost) {
        CompletableFuture<byte[]> all = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("password-command").start(() -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] some = new byte[4096];
            try (from) {
                int n = from.read(some);
                while (n >= 0 && !(stopAtMost && bytes.size() > MOST_OUTPUT)) {
                    bytes.write(some, 0, bytes.size() > MOST_OUTPUT ? 0 : n);
                    n = from.read(some);
                }
                all.complete(bytes.toByteArray());
            } catch (IOException e) {
                all.complete(bytes.toByteArray()); // the process was killed
            }
        });
        return all;
    }

    private byte[] await(CompletableFuture<byte[]> output, long deadline) throws IOException, InterruptedException {
        try {
            return output.get(left(deadline), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw tooSlow();
        } catch (ExecutionException e) {
            throw new IOException(name() + " could not be read", e);
        }
    }

    private static long left(long deadline) {
        return Math.max(0, deadline - System.nanoTime());
    }

    private IOException tooSlow() {
        return new IOException(name() + " has not ended within " + timeout.toMillis() + " ms, and was killed");
    }

    private static String firstLine(byte[] output) {
        String text = new String(output, StandardCharsets.UTF_8);
        return text.lines().findFirst().orElse("").strip();
    }

    /** What it printed on standard error, on one line, with the password masked. */
    private static String shown(String said, String password) {
        String safe = password.isEmpty() ? said : said.replace(password, HiddenText.MASK);
        StringBuilder line = new StringBuilder();
        safe.codePoints()
                .limit(LONGEST_COMPLAINT)
                .forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return line.isEmpty() ? "" : ": " + line;
    }

    /** Without its arguments, which may be secret. */
    private String name() {
        return "password_command " + arguments.getFirst();
    }
}
