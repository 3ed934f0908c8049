package dev.comporta.e2e.fleet;

import dev.comporta.e2e.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Clients of a program in another language. It stops when its standard input ends, and then tells a line for each client:
 * its name, its commits, how often it had to connect again, and what failed, separated by tabs.
 */
final class ProgramWork implements WorkingClients {
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    private final Process process;

    private ProgramWork(Process process) {
        this.process = process;
    }

    static ProgramWork tedious(Target target, int count, Duration pause) throws IOException {
        return start(List.of("node", CLIENTS.resolve("work.js").toString()), target, count, pause);
    }

    /** Debian's Python: its modules are for this one, whichever comes first on the PATH. */
    static ProgramWork pymssql(Target target, int count, Duration pause) throws IOException {
        return start(List.of("/usr/bin/python3", CLIENTS.resolve("work.py").toString()), target, count, pause);
    }

    private static ProgramWork start(List<String> program, Target target, int count, Duration pause)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.add(Integer.toString(count));
        command.add(Long.toString(pause.toMillis()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .putAll(Map.of(
                        "MATRIX_HOST", target.host(),
                        "MATRIX_PORT", "" + target.port(),
                        "MATRIX_USER", target.user(),
                        "MATRIX_PASSWORD", target.password(),
                        "MATRIX_DATABASE", target.database(),
                        "PYTHONDONTWRITEBYTECODE", "1",
                        "NODE_NO_WARNINGS", "1"));
        return new ProgramWork(builder.start());
    }

    @Override
    public List<Tally> stop() throws Exception {
        process.getOutputStream().close();
        List<Tally> tallies = new ArrayList<>();
        for (String line : process.inputReader(StandardCharsets.UTF_8).lines().toList()) {
            String[] fields = line.split("\t");
            tallies.add(new Tally(
                    fields[0],
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    Arrays.stream(fields).skip(3).toList()));
        }
        return tallies;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
