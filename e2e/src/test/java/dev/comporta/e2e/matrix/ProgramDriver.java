package dev.comporta.e2e.matrix;

import dev.comporta.e2e.ServerCertificate;
import dev.comporta.e2e.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A driver of another language: a program under {@code clients/} plays the scenario and prints the facts. */
record ProgramDriver(String name, Tls tls, Traits traits, List<String> program, Map<String, String> settings)
        implements Driver {
    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    /** Debian's Python: its modules are for this one, whichever comes first on the PATH. */
    static ProgramDriver python(String name, Tls tls, Traits traits, String file) {
        return new ProgramDriver(
                name + tls.suffix(),
                tls,
                traits,
                List.of("/usr/bin/python3", CLIENTS.resolve(file).toString()),
                // Two of the three are FreeTDS underneath.
                Map.of("FREETDSCONF", FreeTdsTool.globalSettings(tls).toString()));
    }

    static ProgramDriver tedious(Tls tls, Traits traits) {
        return new ProgramDriver(
                "tedious encrypt=" + tls.word(),
                tls,
                traits,
                List.of("node", CLIENTS.resolve("tedious.js").toString()),
                // Its warnings carry the number of the process.
                Map.of("NODE_NO_WARNINGS", "1"));
    }

    @Override
    public Facts play(Scenario scenario, Target target, String table) throws Exception {
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
                "MATRIX_COLUMNS", EveryType.columns(traits),
                "MATRIX_ENCRYPT", tls.word(),
                "PYTHONDONTWRITEBYTECODE", "1"));
        if (tls != Tls.OFF) {
            String certificate = ServerCertificate.of(target).toString();
            environment.put("NODE_EXTRA_CA_CERTS", certificate);
            environment.put("MATRIX_CERTIFICATE", certificate);
        }
        Command.Result result = Player.play(program, environment, scenario, table);
        if (result.status() != 0) {
            throw new AssertionError(name + " failed:\n" + result.output() + result.errors());
        }
        Facts facts = new Facts();
        result.lines().forEach(facts::add);
        facts.addBesides(result.errors());
        return facts;
    }
}
