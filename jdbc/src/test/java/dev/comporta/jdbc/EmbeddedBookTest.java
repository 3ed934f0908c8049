package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.Outcome;
import dev.comporta.console.sql.Parser;
import dev.comporta.console.table.Column;
import dev.comporta.jdbc.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/embedded.md has every setting, with its default and its other names, in the order of the code; and every view. */
class EmbeddedBookTest {
    @Test
    void theBookHasEverySettingAsItIs() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("../docs/embedded.md"))) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 7 && cells[1].strip().startsWith("`")) {
                rows.add(String.join(
                        "|", Arrays.stream(cells, 1, 5).map(String::strip).toList()));
            }
        }
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(Setting.values())
                        .map(EmbeddedBookTest::row)
                        .toList());
    }

    @Test
    void theBookHasEveryColumnOfEveryViewAndSqlThatIsUnderstood() throws IOException, SQLException {
        Pattern row = Pattern.compile("\\| `(sys\\.remote_\\w+)` \\(SHOW (\\w+)\\) \\| (.*) \\|");
        Map<String, String> documented = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/embedded.md"))) {
            Matcher view = row.matcher(line);
            if (view.matches()) {
                String columns = view.group(3).replaceAll(" \\([^)]*\\)", "").replace("`", "");
                documented.put(view.group(1) + " " + view.group(2), columns);
            }
        }
        Map<String, String> coded = new TreeMap<>();
        try (ServerRegistry registry = new ServerRegistry()) {
            for (String view : documented.keySet()) {
                String[] names = view.split(" ", -1);
                String columns = columns(registry, "SELECT * FROM " + names[0]);
                assertThat(columns(registry, "SHOW " + names[1])).isEqualTo(columns);
                coded.put(view, columns);
            }
            assertThat(documented.keySet().stream().map(view -> view.split(" ", -1)[0]))
                    .containsExactlyInAnyOrderElementsOf(views(registry));
        }
        assertThat(documented).isEqualTo(coded);
        String[] blocks = Files.readString(Path.of("../docs/embedded.md")).split("```", -1);
        List<String> sql =
                Arrays.stream(blocks).filter(block -> block.startsWith("sql\n")).toList();
        assertThat(sql).isNotEmpty();
        for (String block : sql) {
            assertThat(Parser.parse(block.substring(4)))
                    .hasSize((int) block.chars().filter(c -> c == ';').count());
        }
    }

    private static List<String> views(ServerRegistry registry) throws SQLException {
        String sql = "SELECT TABLE_SCHEMA, TABLE_NAME FROM INFORMATION_SCHEMA.TABLES";
        return registry.sql().execute(sql).getLast() instanceof Outcome.Rows rows
                ? rows.rows().stream()
                        .map(row -> row.get(0) + "." + row.get(1))
                        .filter(view -> view.startsWith("sys.remote_"))
                        .toList()
                : List.of();
    }

    private static String columns(ServerRegistry registry, String sql) throws SQLException {
        return registry.sql().execute(sql).getLast() instanceof Outcome.Rows rows
                ? String.join(", ", rows.columns().stream().map(Column::name).toList())
                : "";
    }

    private static String row(Setting setting) {
        String live = setting.change() == Setting.Change.LIVE ? "live" : "";
        String others = String.join(
                ", ", setting.synonyms().stream().map(s -> "`" + s + "`").toList());
        return "`" + setting.key() + "`|" + setting.byDefault() + "|" + live + "|" + others;
    }
}
