package dev.comporta.e2e.crosstalk;

import dev.comporta.e2e.Target;
import dev.comporta.testkit.crosstalk.ServerError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program in another language that holds the sessions of many clients. It is told what to do, and tells what came of
 * it, a line each: number, client, verb and arguments one way; number, ok or an error's number, and text the other, all
 * separated by tabs. A session's orders are carried out in turn, but {@code die} at once.
 */
final class ClientProgram implements AutoCloseable {
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    private final Process process;
    private final Writer orders;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> awaited = new ConcurrentHashMap<>();
    private volatile boolean ended;

    private ClientProgram(Process process) {
        this.process = process;
        orders = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("answers").start(this::read);
    }

    static ClientProgram tedious(Target target) throws IOException {
        return start(List.of("node", CLIENTS.resolve("crosstalk.js").toString()), target);
    }

    /** Debian's Python: its modules are for this one, whichever comes first on the PATH. */
    static ClientProgram pythonTds(Target target) throws IOException {
        return start(List.of("/usr/bin/python3", CLIENTS.resolve("crosstalk.py").toString()), target);
    }

    private static ClientProgram start(List<String> command, Target target) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .putAll(Map.of(
                        "MATRIX_HOST", target.host(),
                        "MATRIX_PORT", "" + target.port(),
                        "MATRIX_USER", target.user(),
                        "MATRIX_PASSWORD", target.password(),
                        "MATRIX_DATABASE", target.database(),
                        "PYTHONDONTWRITEBYTECODE", "1",
                        // It warns of an address in place of a name, for every connection.
                        "NODE_NO_WARNINGS", "1"));
        return new ClientProgram(builder.start());
    }

    /** What came of it. Waits. */
    String order(int client, String verb, String... arguments) throws Exception {
        int number = numbers.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        awaited.put(number, answer);
        StringBuilder line = new StringBuilder().append(number).append('\t').append(client);
        line.append('\t').append(verb);
        for (String argument : arguments) {
            line.append('\t').append(argument);
        }
        synchronized (orders) {
            orders.append(line).append('\n').flush();
        }
        if (ended) {
            answer.completeExceptionally(new IOException("the program has ended"));
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ServerError error) {
                throw new ServerError(error.number(), String.valueOf(error.getMessage()));
            }
            throw e;
        }
    }

    private void read() {
        try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                String[] fields = line.split("\t", 3);
                CompletableFuture<String> answer = awaited.remove(Integer.valueOf(fields[0]));
                if (answer == null) {
                    throw new IllegalStateException("nobody asked: " + line);
                } else if (fields[1].equals("ok")) {
                    answer.complete(fields[2]);
                } else {
                    answer.completeExceptionally(new ServerError(Integer.parseInt(fields[1]), fields[2]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended = true;
            awaited.values().forEach(each -> each.completeExceptionally(new IOException("the program has ended")));
        }
    }

    @Override
    public void close() throws IOException {
        orders.close();
        process.destroy();
    }
}
