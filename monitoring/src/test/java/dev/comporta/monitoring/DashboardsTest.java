package dev.comporta.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files that Grafana is given are dashboards by its rules. */
class DashboardsTest {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)");
    private static final Set<String> GRAFANAS_OWN = Set.of("__rate_interval", "__value", "__url_time_range", "__all");

    static Stream<Path> dashboards() throws IOException {
        return Files.list(Path.of("..", "deploy", "grafana", "dashboards"));
    }

    private static JsonNode read(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    /** Headings of rows too. */
    private static List<JsonNode> panels(JsonNode board) {
        List<JsonNode> panels = new ArrayList<>();
        board.get("panels").forEach(panels::add);
        return panels;
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void panelsHaveIdsOfTheirOwnAndDoNotOverlap(Path file) throws IOException {
        Set<String> taken = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : panels(read(file))) {
            assertThat(ids.add(panel.get("id").asInt()))
                    .as("id of %s", panel.get("title"))
                    .isTrue();
            JsonNode at = panel.get("gridPos");
            assertThat(at.get("x").asInt() + at.get("w").asInt()).isLessThanOrEqualTo(24);
            for (int x = at.get("x").asInt();
                    x < at.get("x").asInt() + at.get("w").asInt();
                    x++) {
                for (int y = at.get("y").asInt();
                        y < at.get("y").asInt() + at.get("h").asInt();
                        y++) {
                    assertThat(taken.add(x + "," + y))
                            .as("%s at %d,%d", panel.get("title"), x, y)
                            .isTrue();
                }
            }
        }
        assertThat(ids).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void panelsSayWhatTheyShowInWhichUnitFromWhichSource(Path file) throws IOException {
        for (JsonNode panel : panels(read(file))) {
            if (panel.get("type").asText().equals("row")) {
                continue;
            }
            String title = panel.get("title").asText();
            assertThat(panel.get("description").asText()).as(title).endsWith(".");
            assertThat(panel.at("/fieldConfig/defaults/unit").asText())
                    .as(title)
                    .isNotEmpty();
            assertThat(panel.at("/fieldConfig/defaults/thresholds/steps/0/color")
                            .asText())
                    .as(title)
                    .isNotEmpty();
            assertThat(panel.at("/datasource/uid").asText()).as(title).isEqualTo("${datasource}");
            assertThat(panel.get("targets")).as(title).isNotEmpty();
            Set<String> refIds = new HashSet<>();
            for (JsonNode target : panel.get("targets")) {
                assertThat(refIds.add(target.get("refId").asText())).as(title).isTrue();
                assertThat(target.at("/datasource/uid").asText()).as(title).isEqualTo("${datasource}");
                assertThat(target.get("legendFormat").asText()).as(title).isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void variablesAreDefinedAndUsed(Path file) throws IOException {
        JsonNode board = read(file);
        Set<String> defined = new HashSet<>();
        board.at("/templating/list")
                .forEach(variable -> defined.add(variable.get("name").asText()));
        Set<String> used = new HashSet<>();
        Matcher names = VARIABLE.matcher(board.get("panels").toString());
        while (names.find()) {
            used.add(names.group(1));
        }
        used.removeAll(GRAFANAS_OWN);
        assertThat(used).isEqualTo(defined);
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void addressIsTheNameOfTheFile(Path file) throws IOException {
        assertThat(file.getFileName()).hasToString(read(file).get("uid").asText() + ".json");
    }
}
