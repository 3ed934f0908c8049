package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.app.api.AdminApi;
import dev.comporta.app.live.LivePage;
import dev.comporta.ops.health.HealthPages;
import dev.comporta.ops.metrics.Alias;
import dev.comporta.ops.metrics.Metric;
import dev.comporta.ops.metrics.MetricsPage;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/operations.md names what there is, and nothing else. */
class OperationsBookTest {
    private static final Observer NOBODY = () -> {
        throw new AssertionError("nobody is asked");
    };

    private static List<String> rowsThatBegin(String with) throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "operations.md")).stream()
                .filter(line -> line.startsWith(with))
                .toList();
    }

    @Test
    void everyMetricIsInTheBookWithItsTypeLabelsAndMeaning() throws IOException {
        List<String> rows = rowsThatBegin("| `").stream()
                .filter(row -> row.matches("\\| `(proxy|jvm|process)_\\w+` \\| (gauge|counter|histogram) .*"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(Metric.values())
                        .map(metric -> "| `%s` | %s | %s | %s |"
                                .formatted(
                                        metric.id(),
                                        metric.type().name().toLowerCase(Locale.ROOT),
                                        String.join(", ", metric.labels()),
                                        metric.help()))
                        .toList());
    }

    @Test
    void everyAliasIsInTheBookWithWhatItIsTheSameAs() throws IOException {
        List<String> rows = rowsThatBegin("| `").stream()
                .filter(row -> row.matches("\\| `(dsql|scratchbird)_.*"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(Alias.values())
                        .map(alias -> "| `%s` | %s | %s | %s |"
                                .formatted(
                                        alias.id(),
                                        alias.type().name().toLowerCase(Locale.ROOT),
                                        String.join(", ", alias.labels()),
                                        alias.same()))
                        .toList());
    }

    @Test
    void everyPathIsInTheBook() throws IOException {
        Set<String> served =
                new TreeSet<>(new HealthPages("any", NOBODY).routes().paths());
        served.addAll(new MetricsPage(NOBODY, "any", true, new BackgroundWork())
                .routes()
                .paths());
        served.add(AdminApi.ROOT); // what is below it is in openapi.yaml
        served.add(LivePage.INDEX);
        served.add(LivePage.ROOT);
        Set<String> told = rowsThatBegin("| `health_check_port`").stream()
                .map(row -> row.split("`")[3])
                .collect(Collectors.toCollection(TreeSet::new));
        told.addAll(rowsThatBegin("| `metrics_port`").stream()
                .map(row -> row.split("`")[3])
                .toList());
        assertThat(told).isEqualTo(served);
    }
}
