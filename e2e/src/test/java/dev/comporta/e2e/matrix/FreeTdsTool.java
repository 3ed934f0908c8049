package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import dev.comporta.e2e.matrix.Traits.Decimals;
import dev.comporta.e2e.matrix.Traits.Offsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * FreeTDS's own clients.
 *
 * @param program tsql, on the bare protocol, or bsqldb, on DB-Library
 * @param version the TDS version that it asks for
 */
record FreeTdsTool(String program, String version, Tls tls) implements SqlTool {
    /** What no value of the matrix contains. */
    private static final String SEPARATOR = "|";

    private static final Path CLIENTS = Path.of("clients").toAbsolutePath();

    private static final Pattern ERROR = Pattern.compile("Msg (\\d+)");

    @Override
    public String name() {
        return program + " TDS " + version + tls.suffix();
    }

    @Override
    public Traits traits() {
        return program.equals("tsql") ? tsql() : bsqldb();
    }

    /** It shows times to the minute. Before 7.3 the server sends the newer ones as text, offset included. */
    private Traits tsql() {
        Offsets offsets = version.compareTo("7.3") < 0 ? Offsets.KEPT : Offsets.CUT_OFF;
        return new Traits(Traits.MINUTES, Decimals.EXACT, offsets, Map.of());
    }

    private static Traits bsqldb() {
        Traits traits = Traits.EXACT
                .unable(EveryType.LONG_DECIMAL, "its own buffer is too small for it")
                .unable(EveryType.FLOAT, "its own buffer is too small for it");
        for (EveryType type : EveryType.values()) {
            if (PrintedText.isText(type)) {
                traits = traits.unable(type, "it shows the empty string as NULL");
            }
        }
        for (EveryType type : List.of(
                EveryType.DATE,
                EveryType.TIME,
                EveryType.SHORT_TIME,
                EveryType.DATETIME2,
                EveryType.SHORT_DATETIME2,
                EveryType.DATETIMEOFFSET,
                EveryType.UNIQUEIDENTIFIER)) {
            traits = traits.unable(type, "it does not know the type");
        }
        return traits;
    }

    @Override
    public Printed run(Target target, List<String> batches) throws Exception {
        Command.Result result = run(
                program,
                version,
                tls,
                target,
                program.equals("tsql")
                        ? List.of("-D", target.database(), "-t", SEPARATOR, "-o", "qh")
                        : List.of("-D", target.database(), "-t", SEPARATOR, "-q"),
                String.join("\ngo\n", batches) + "\ngo\n");
        List<List<String>> rows = result.lines().stream()
                // Headers are off, but tsql still ends their line.
                .filter(line -> !line.isEmpty())
                .map(line -> Arrays.asList(line.split("\\|", -1)))
                .toList();
        List<String> errors = ERROR.matcher(result.errors())
                .results()
                .map(match -> match.group(1))
                .toList();
        return new Printed(rows, errors, result.output() + result.errors());
    }

    /** Settings for what is built on FreeTDS and names the server itself. */
    static Path globalSettings(Tls tls) {
        return CLIENTS.resolve("freetds-" + encryption(tls) + ".conf");
    }

    /** Unasked it takes what the server offers, which is to encrypt the login. */
    private static String encryption(Tls tls) {
        return switch (tls) {
            case OFF -> "request";
            case ON -> "require";
            case STRICT -> throw new IllegalArgumentException("this FreeTDS does not speak TDS 8.0");
        };
    }

    /** Runs a program of FreeTDS on settings of its own, so that the machine's do not matter. */
    static Command.Result run(
            String program, String version, Tls tls, Target target, List<String> arguments, String input)
            throws Exception {
        Path settings = Files.createTempFile("freetds", ".conf");
        try {
            Files.writeString(settings, """
                    [matrix]
                    host = %s
                    port = %d
                    tds version = %s
                    client charset = UTF-8
                    text size = 64512000
                    encryption = %s
                    """.formatted(target.host(), target.port(), version, encryption(tls)));
            List<String> command = new ArrayList<>(List.of(program));
            // freebcp wants the table before any option.
            command.addAll(arguments);
            command.addAll(List.of("-S", "matrix", "-U", target.user(), "-P", target.password()));
            return Command.run(command, Map.of("FREETDSCONF", settings.toString(), "LC_ALL", "C.UTF-8"), input);
        } finally {
            Files.delete(settings);
        }
    }
}
