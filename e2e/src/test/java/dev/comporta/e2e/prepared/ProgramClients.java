package dev.comporta.e2e.prepared;

import dev.comporta.e2e.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Clients in processes of another language. Each process is given orders, a line each, and answers each by a line. */
final class ProgramClients implements PreparedClients {
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    private final List<Process> processes = new ArrayList<>();
    private final int patienceSeconds;

    private ProgramClients(List<String> program, Target target, int processes, int clients, int patienceSeconds)
            throws IOException {
        this.patienceSeconds = patienceSeconds;
        int each = clients / processes;
        for (int i = 0; i < processes; i++) {
            List<String> command = new ArrayList<>(program);
            command.addAll(List.of("" + i * each, "" + each));
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
            this.processes.add(builder.start());
        }
    }

    static ProgramClients tedious(Target target, int clients, int patienceSeconds) throws IOException {
        List<String> program = List.of("node", CLIENTS.resolve("prepared.js").toString());
        return new ProgramClients(program, target, 1, clients, patienceSeconds);
    }

    /** Debian's Python: its modules are for this one, whichever comes first on the PATH. */
    static ProgramClients odbc(Target target, int clients, int patienceSeconds) throws IOException {
        List<String> program =
                List.of("/usr/bin/python3", CLIENTS.resolve("prepared.py").toString());
        return new ProgramClients(program, target, 4, clients, patienceSeconds);
    }

    @Override
    public void connect() throws Exception {
        order("connect");
    }

    @Override
    public Rounds ask(int atLeast) throws Exception {
        return order("ask " + atLeast);
    }

    @Override
    public void write(int rows) throws Exception {
        order("write " + rows);
    }

    @Override
    public void leave() throws Exception {
        order("close");
    }

    private Rounds order(String order) throws Exception {
        List<CompletableFuture<@Nullable String>> answers = new ArrayList<>();
        for (Process process : processes) {
            Writer orders = process.outputWriter(StandardCharsets.UTF_8);
            orders.append(order).append('\n').flush();
            BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
            CompletableFuture<@Nullable String> answer = new CompletableFuture<>();
            answers.add(answer);
            Thread.ofVirtual().start(() -> {
                try {
                    answer.complete(lines.readLine());
                } catch (IOException e) {
                    answer.completeExceptionally(e);
                }
            });
        }
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        for (CompletableFuture<@Nullable String> each : answers) {
            String answer = each.get(patienceSeconds, TimeUnit.SECONDS);
            if (answer == null || !answer.startsWith("ok ")) {
                throw new AssertionError(order + ": " + answer);
            }
            String[] counts = answer.split(" ", -1);
            fewest = Math.min(fewest, Integer.parseInt(counts[1]));
            most = Math.max(most, Integer.parseInt(counts[2]));
        }
        return new Rounds(fewest, most);
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
