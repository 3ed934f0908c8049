package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** unixODBC's client, through FreeTDS's ODBC driver. It prepares whatever it is given, and then executes it. */
final class Isql implements SqlTool {
    private static final Pattern ERROR = Pattern.compile("\\[(\\w{5})\\]\\[FreeTDS\\]");

    @Override
    public String name() {
        return "ODBC (isql, FreeTDS)";
    }

    @Override
    public Traits traits() {
        return Traits.EXACT;
    }

    @Override
    public Printed run(Target target, List<String> batches) throws Exception {
        String connection =
                "DRIVER=FreeTDS;TDS_Version=7.4;ClientCharset=UTF-8;SERVER=%s;PORT=%d;UID=%s;PWD=%s;DATABASE=%s"
                        .formatted(target.host(), target.port(), target.user(), target.password(), target.database());
        Command.Result result = Command.run(
                List.of("isql", "-k", connection, "-b", "-v", "-d|", "-L2000000"),
                Map.of("LC_ALL", "C.UTF-8"),
                String.join("\n", batches) + "\n");
        List<List<String>> rows = new ArrayList<>();
        for (String line : result.lines()) {
            rows.add(Arrays.asList(line.split("\\|", -1)));
        }
        List<String> errors = ERROR.matcher(result.errors())
                .results()
                .map(match -> match.group(1))
                .toList();
        return new Printed(rows, errors, result.output() + result.errors());
    }
}
