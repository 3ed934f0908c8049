package dev.comporta.ops.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.comporta.ops.config.value.ValueType;
import dev.comporta.ops.config.yaml.Absence;
import dev.comporta.ops.config.yaml.Entry;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.ListKey;
import dev.comporta.ops.config.yaml.SectionKey;
import dev.comporta.ops.config.yaml.SectionsKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/configuration.md lists every key with its default, and no other. */
class DocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");
    private static final Pattern SECTION = Pattern.compile("##+ `([^`]+)`");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (.*?) \\| `(.*?)` \\| (.+) \\|");

    @Test
    void everyKeyIsDocumentedWithItsDefault() throws IOException {
        Map<String, String> known = new TreeMap<>();
        ConfigurationReader.PROXY_FILE.visit("", (path, entry) -> known.put(path, defaultOf(entry)));
        ConfigurationReader.BUCKETS_FILE.visit("", (path, entry) -> known.put(path, defaultOf(entry)));
        known.keySet().removeIf(path -> path.startsWith("defaults."));
        assertThat(column(2)).containsExactlyInAnyOrderEntriesOf(known);
    }

    @Test
    void leastExampleOfTheDocumentWorks() throws IOException {
        String text = Files.readString(DOCUMENT);
        int start = text.indexOf("```yaml\n") + "```yaml\n".length();
        String example = text.substring(start, text.indexOf("```", start));
        assertThat(Readings.problems("", example)).isEmpty();
    }

    @Test
    void everyExampleIsAValueOfItsKey() throws IOException {
        Map<String, Entry> entries = new TreeMap<>();
        ConfigurationReader.PROXY_FILE.visit("", entries::put);
        ConfigurationReader.BUCKETS_FILE.visit("", entries::put);
        column(3).forEach((path, example) -> {
            switch (entries.get(path)) {
                case Key<?> key -> assertParses(path, key.type(), example);
                case ListKey<?> list -> {
                    for (String item : example.replaceAll("^\\[|]$", "").split(", ")) {
                        assertParses(path, list.type(), item);
                    }
                }
                case SectionKey _, SectionsKey _ -> throw new AssertionError(path + " has keys below it");
            }
        });
    }

    private static void assertParses(String path, ValueType<?> type, String example) {
        String text = example.replaceAll("^\"|\"$", "");
        assertThatCode(() -> type.parse(text)).as(path).doesNotThrowAnyException();
    }

    private static Map<String, String> column(int number) throws IOException {
        Map<String, String> rows = new TreeMap<>();
        String section = "";
        for (String line : Files.readAllLines(DOCUMENT)) {
            Matcher heading = SECTION.matcher(line);
            Matcher row = ROW.matcher(line);
            if (heading.matches()) {
                section = heading.group(1);
            } else if (row.matches()) {
                String key = row.group(1);
                rows.put(section.equals(key) ? key : section + "." + key, row.group(number));
            }
        }
        return rows;
    }

    private static String defaultOf(Entry entry) {
        return switch (entry) {
            case Key<?> key ->
                switch (key.absence()) {
                    case Absence.Default(String text) -> "`" + text + "`";
                    case Absence.Derived(String rule) -> rule;
                    case Absence.Required() -> "required";
                };
            case ListKey<?> list -> list.whenAbsent();
            case SectionKey section -> throw new AssertionError(section.name());
            case SectionsKey sections -> throw new AssertionError(sections.name());
        };
    }
}
