package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.console.sql.Command;
import dev.comporta.console.table.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/console.md says of views, columns, types and commands what is so. */
@Timeout(60)
class ConsoleBookTest {
    private static final Pattern VIEW = Pattern.compile("### sys\\.(\\w+) \\(SHOW (\\w+)\\): .*");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @TempDir
    private Path directory;

    private static List<String> book() throws IOException {
        return Files.readAllLines(Path.of("../docs/console.md"));
    }

    @Test
    void theViewsAreThoseInTheBook() throws IOException {
        Map<String, List<String>> documented = new LinkedHashMap<>();
        List<String> columns = new ArrayList<>();
        for (String line : book()) {
            Matcher view = VIEW.matcher(line);
            String[] cells = line.split(" \\| ", -1);
            if (view.matches()) {
                columns = new ArrayList<>();
                documented.put(view.group(1) + " " + view.group(2), columns);
            } else if (!documented.isEmpty() && line.startsWith("| `") && cells.length >= 3) {
                Matcher name = NAME.matcher(cells[0]);
                while (name.find()) {
                    columns.add(name.group(1) + " " + cells[1]);
                }
            }
        }
        Map<String, List<String>> coded = new LinkedHashMap<>();
        try (RunningProxy running =
                RunningProxy.start(directory, "instance_id: one", "encrypt: off, max_connections: 1")) {
            for (View view : running.instance.console().catalog().views()) {
                if (!view.shownAs().isEmpty()) {
                    coded.put(
                            view.name() + " " + view.shownAs(),
                            view.columns().stream()
                                    .map(column -> column.name() + " " + column.type())
                                    .toList());
                }
            }
        }
        assertThat(coded).hasSize(10);
        assertThat(documented).isEqualTo(coded);
    }

    @Test
    void theCommandsAreThoseInTheBookAndInTheHelp() throws IOException {
        List<String> documented = new ArrayList<>();
        boolean within = false;
        for (String line : book()) {
            within = line.startsWith("## ") ? line.equals("## Commands") : within;
            if (within && line.startsWith("| `")) {
                Matcher name = NAME.matcher(line);
                assertThat(name.find()).isTrue();
                documented.add(verb(name.group(1)));
            }
        }
        List<String> proxys = Arrays.stream(Command.Kind.values())
                .map(Command.Kind::text)
                .filter(command -> !command.endsWith("USER MAPPING")) // the registry's of jdbc/
                .toList();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(proxys);
        try (RunningProxy running =
                RunningProxy.start(directory, "instance_id: one", "encrypt: off, max_connections: 1")) {
            List<String> offered = new ConsoleClient(running.instance)
                    .rows("SHOW HELP").stream()
                            .map(row -> verb(String.valueOf(row.get(0))))
                            .filter(verb -> !verb.equals("SHOW") && !verb.equals("SELECT"))
                            .toList();
            assertThat(offered).containsExactlyInAnyOrderElementsOf(documented);
        }
    }

    private static String verb(String command) {
        String[] words = command.split(" ", -1);
        return words.length > 1 && words[1].equals("SERVER") ? words[0] + " SERVER" : words[0];
    }
}
