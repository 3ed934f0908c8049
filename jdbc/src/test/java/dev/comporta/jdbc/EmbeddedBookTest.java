package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.jdbc.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/embedded.md has every setting, with its default and its other names, in the order of the code. */
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

    private static String row(Setting setting) {
        String live = setting.change() == Setting.Change.LIVE ? "live" : "";
        String others = String.join(
                ", ", setting.synonyms().stream().map(s -> "`" + s + "`").toList());
        return "`" + setting.key() + "`|" + setting.byDefault() + "|" + live + "|" + others;
    }
}
