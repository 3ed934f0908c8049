package dev.comporta.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.monitoring.alert.Alerts;
import dev.comporta.monitoring.board.Board;
import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in deploy/ is what the description says, and the description can't name what does not exist. */
class MonitoringFilesTest {
    private static final Path DEPLOY = Path.of("..", "deploy");

    @Test
    void committedFilesAreWhatTheDescriptionMakes() throws IOException {
        for (Map.Entry<String, String> file :
                MonitoringFiles.all(MonitoringFiles.RUNBOOK).entrySet()) {
            Path committed = DEPLOY.resolve(file.getKey());
            assertThat(committed)
                    .as("%s is missing: run ./comporta monitoring and commit what it wrote", committed)
                    .exists();
            assertThat(Files.readString(committed))
                    .as(
                            "%s differs from its description: run ./comporta monitoring and commit what it wrote",
                            committed)
                    .isEqualTo(file.getValue());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana/dashboards", "helm/comporta/files/dashboards"})
    void noDashboardIsLeftThatTheDescriptionNoLongerHas(String directory) throws IOException {
        try (Stream<Path> boards = Files.list(DEPLOY.resolve(directory))) {
            assertThat(boards.map(board -> board.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Board.all().stream()
                            .map(board -> board.id() + ".json")
                            .toList());
        }
    }

    /** Beyond it, a metric would be exported for nobody. */
    @Test
    void everyMetricIsShownSomewhereButThoseOfDynamoDb() {
        Set<Metric> shown = Board.all().stream()
                .flatMap(Board::queries)
                .flatMap(query -> query.uses().stream())
                .map(Query.Use::metric)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Metric.class)));
        // A panel must have data where it is tested, and that fleet keeps its leases in Redis.
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.complementOf(EnumSet.of(Metric.DYNAMODB_OPERATIONS, Metric.DYNAMODB_LATENCY)));
    }

    @Test
    void everyAlertHasItsSectionInTheRunbookWithItsSeverityAndTimeAndTheOtherWayRound() throws IOException {
        Set<String> told = new TreeSet<>();
        for (String section :
                Files.readString(Path.of("..", MonitoringFiles.RUNBOOK)).split("\n### ")) {
            if (section.startsWith("Comporta")) {
                told.add(section.lines().limit(3).collect(Collectors.joining(" ")));
            }
        }
        assertThat(told)
                .containsExactlyElementsOf(Alerts.all()
                        .map(alert -> "%s  %s, %s"
                                .formatted(
                                        alert.name(),
                                        alert.level(),
                                        alert.lasting().isEmpty() ? "at once." : "after " + alert.lasting() + "."))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void alertsHaveNamesOfTheirOwn() {
        assertThat(Alerts.all().map(alert -> alert.name())).doesNotHaveDuplicates();
    }

    @Test
    void queryCanNotAskForWhatAMetricDoesNotHave() {
        Series queue = Series.of(Metric.QUEUE_LENGTH);
        assertThatThrownBy(() -> queue.with("reason", "full"))
                .hasMessageContaining("proxy_queue_length has no label reason");
        assertThatThrownBy(() -> queue.rate("5m")).hasMessageContaining("proxy_queue_length is a GAUGE");
        assertThatThrownBy(() -> queue.value().sumBy("login")).hasMessageContaining("not all of [login]");
        assertThatThrownBy(() -> queue.value().sumBy("bucket").requireShown("on {{ $labels.instance }}"))
                .hasMessageContaining("not all of [instance]");
        assertThatThrownBy(() -> queue.value().sumBy("bucket").per(queue.value().sumBy()))
                .hasMessageContaining("none would match");
    }

    @Test
    void whatPrometheusRenamesIsAskedForByItsNewName() {
        Query told = Series.of(Metric.SLOTS_HELD).value();
        assertThat(told.maxBy("bucket", "exported_instance").text())
                .isEqualTo("max by (bucket, exported_instance) (proxy_slots_held)");
    }

    @Test
    void runbookMayBeElsewhere() {
        assertThat(MonitoringFiles.all("https://wiki/comporta").get("prometheus/alerts.yml"))
                .contains("runbook_url: 'https://wiki/comporta#comportainstancedown'");
    }
}
