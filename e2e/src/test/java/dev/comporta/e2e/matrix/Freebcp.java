package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** FreeTDS's bulk copy: from a file into a table, and from a table into a file. */
record Freebcp(Tls tls) implements Driver {
    private static final Pattern ERROR = Pattern.compile("Msg (\\d+)");

    @Override
    public String name() {
        return "freebcp" + tls.suffix();
    }

    @Override
    public Traits traits() {
        return Traits.EXACT;
    }

    @Override
    public Facts play(Scenario scenario, Target target, String table) throws Exception {
        Path file = Files.createTempFile("freebcp", ".txt");
        Facts facts = new Facts();
        try {
            switch (scenario) {
                case BULK_LOAD -> inAndOut(target, table, file, facts);
                case MANY_ROWS -> {
                    copy(target, "hundred_thousand", "out", file);
                    ScriptDriver.countRows(
                            Files.readAllLines(file).stream()
                                    .map(line -> Arrays.asList(line.split("\\|")))
                                    .toList(),
                            facts);
                }
                case LOGIN_FAILED -> facts.add("login", errorOf(target.withPassword("wrong"), table, file));
                default -> throw new IllegalArgumentException("freebcp does not play " + scenario);
            }
        } finally {
            Files.delete(file);
        }
        return facts;
    }

    /** What was copied in must come out the same. */
    private void inAndOut(Target target, String table, Path file, Facts facts) throws Exception {
        List<String> lines = new ArrayList<>();
        for (int id = 1; id <= 1000; id++) {
            String name = id % 10 == 0 ? "" : "row " + id;
            lines.add(String.format(Locale.ROOT, "%d|%s|%.4f", id, name, id / 4.0));
        }
        Files.write(file, lines);
        copy(target, table, "in", file);
        copy(target, table, "out", file);
        facts.add(Files.readAllLines(file).equals(lines) ? "loaded" : Files.readString(file));
    }

    private String errorOf(Target target, String table, Path file) throws Exception {
        Matcher error = ERROR.matcher(freebcp(target, table, "out", file).errors());
        return error.find() ? error.group(1) : "no error";
    }

    private void copy(Target target, String table, String direction, Path file) throws Exception {
        Command.Result result = freebcp(target, table, direction, file);
        if (result.status() != 0) {
            throw new AssertionError("freebcp failed:\n" + result.output() + result.errors());
        }
    }

    private Command.Result freebcp(Target target, String table, String direction, Path file) throws Exception {
        return FreeTdsTool.run(
                "freebcp",
                "7.4",
                tls,
                target,
                List.of(target.database() + ".dbo." + table, direction, file.toString(), "-c", "-t", "|"),
                "");
    }
}
