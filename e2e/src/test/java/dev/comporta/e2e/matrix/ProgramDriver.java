package dev.comporta.e2e.matrix;

import dev.comporta.e2e.ServerCertificate;
import dev.comporta.e2e.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A driver of another language: a program under {@code clients/} plays the scenario and prints the facts. */
record ProgramDriver(String name, Traits traits, List<String> program, Map<String, String> settings) implements Driver {
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    /** Debian's Python: its modules are for this one, whichever comes first on the PATH. */
    static ProgramDriver python(String name, Traits traits, String file) {
        return new ProgramDriver(
                name, traits, List.of("/usr/bin/python3", CLIENTS.resolve(file).toString()), Map.of());
    }

    static ProgramDriver tedious(String encrypt, Traits traits) {
        return new ProgramDriver(
                "tedious encrypt=" + encrypt,
                traits,
                List.of("node", CLIENTS.resolve("tedious.js").toString()),
                Map.of("MATRIX_ENCRYPT", encrypt));
    }

    @Override
    public List<String> play(Scenario scenario, Target target, String table) throws Exception {
        if (program.getFirst().equals("node") && !Files.exists(CLIENTS.resolve("node_modules/tedious"))) {
            throw new AssertionError("tedious is not installed. `./comporta test` installs what is missing.");
        }
        Map<String, String> environment = new HashMap<>(settings);
        environment.putAll(Map.of(
                "MATRIX_HOST", target.host(),
                "MATRIX_PORT", "" + target.port(),
                "MATRIX_USER", target.user(),
                "MATRIX_PASSWORD", target.password(),
                "MATRIX_DATABASE", target.database(),
                "MATRIX_TABLE", table,
                "MATRIX_COLUMNS", EveryType.columns(traits),
                "PYTHONDONTWRITEBYTECODE", "1"));
        if ("strict".equals(settings.get("MATRIX_ENCRYPT"))) {
            environment.put("NODE_EXTRA_CA_CERTS", ServerCertificate.of(target).toString());
        }
        List<String> command = new ArrayList<>(program);
        command.add(scenario.name());
        Command.Result result = Command.run(command, environment, "");
        if (result.status() != 0) {
            throw new AssertionError(name + " failed:\n" + result.output() + result.errors());
        }
        return result.lines();
    }
}
