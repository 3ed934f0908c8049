package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** unixODBC's client, through FreeTDS's ODBC driver. It shows rows, but no error numbers. */
record Isql(Tls tls) implements SqlTool {
    @Override
    public String name() {
        return "ODBC (isql, FreeTDS)" + tls.suffix();
    }

    @Override
    public Traits traits() {
        Traits traits = Traits.EXACT;
        for (EveryType type : EveryType.values()) {
            if (PrintedText.isText(type)) {
                traits = traits.unable(type, "it shows NULL and the empty string alike");
            }
        }
        return traits;
    }

    @Override
    public Printed run(Target target, List<String> batches) throws Exception {
        String connection =
                "DRIVER=FreeTDS;TDS_Version=7.4;ClientCharset=UTF-8;SERVER=%s;PORT=%d;UID=%s;PWD=%s;DATABASE=%s"
                        .formatted(target.host(), target.port(), target.user(), target.password(), target.database());
        Command.Result result = Command.run(
                List.of("isql", "-k", connection, "-b", "-v", "-e", "-d|"),
                Map.of(
                        "LC_ALL",
                        "C.UTF-8",
                        "FREETDSCONF",
                        FreeTdsTool.globalSettings(tls).toString()),
                String.join("\n", batches) + "\n");
        List<List<String>> rows = new ArrayList<>();
        for (String line : result.lines()) {
            rows.add(Arrays.asList(line.split("\\|", -1)));
        }
        return new Printed(rows, List.of(), result.output() + result.errors());
    }
}
