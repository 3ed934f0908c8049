package dev.comporta.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.monitoring.alert.Alert;
import dev.comporta.monitoring.alert.Alerts;
import dev.comporta.monitoring.board.Board;
import dev.comporta.monitoring.board.BoardFile;
import dev.comporta.monitoring.query.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus' own tool accepts what is in deploy/, and finds that alerts fire when they should and not otherwise. */
@Timeout(120)
class MonitoringRulesTest {
    private static final Path PROMETHEUS = Programs.DEPLOY.resolve("prometheus");

    @TempDir
    private Path directory;

    /** The rules too, which it names. */
    @Test
    void configurationIsValid() throws Exception {
        String said = Programs.run(
                Programs.find("promtool"),
                "check",
                "config",
                PROMETHEUS.resolve("prometheus.yml").toString());
        assertThat(said).contains("SUCCESS: " + Alerts.all().count() + " rules found");
    }

    @Test
    void everyAlertFiresWhenItShouldAndIsSilentOtherwise() throws Exception {
        List<AlertCases.Case> cases = AlertCases.read();
        assertThat(alerts(cases, true)).as("alerts that are seen to fire").isEqualTo(names());
        assertThat(alerts(cases, false)).as("alerts that are seen to be silent").isEqualTo(names());
        Path tests = Files.writeString(
                directory.resolve("tests.yml"),
                AlertCases.unitTests(cases, PROMETHEUS.resolve("alerts.yml").toString()));
        Programs.run(Programs.find("promtool"), "test", "rules", tests.toString());
    }

    private static Set<String> alerts(List<AlertCases.Case> cases, boolean firing) {
        return cases.stream()
                .filter(one -> one.fires() == firing)
                .map(AlertCases.Case::alert)
                .collect(Collectors.toSet());
    }

    private static Set<String> names() {
        return Alerts.all().map(Alert::name).collect(Collectors.toSet());
    }

    /** As a rule each: promtool parses rules. */
    @Test
    void everyQueryOfADashboardParses() throws IOException, InterruptedException {
        StringBuilder rules = new StringBuilder("groups:\n  - name: panels\n    rules:\n");
        int count = 0;
        for (Board board : Board.all()) {
            for (Query query : board.queries().toList()) {
                rules.append("      - record: panel_").append(count++).append('\n');
                rules.append("        expr: '")
                        .append(query.text().replace(BoardFile.STEP, "5m"))
                        .append("'\n");
            }
        }
        assertThat(count).isGreaterThan(50);
        Path file = Files.writeString(directory.resolve("panels.yml"), rules);
        String said = Programs.run(Programs.find("promtool"), "check", "rules", file.toString());
        assertThat(said).contains("SUCCESS: " + count + " rules found");
    }
}
