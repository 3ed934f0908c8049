package dev.comporta.ops.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.yaml.Edit;
import dev.comporta.ops.config.yaml.Findings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an operator commands is read as if it stood in the files. */
class OverlayTest {
    private final Reading files = Readings.of("", Readings.ONE_BUCKET);

    private Reading with(Edit... edits) {
        return files.changed().apply(Overlay.NONE.plus(List.of(edits)));
    }

    private static String value(Reading reading, String path) {
        Findings.Effective found = reading.effective().stream()
                .filter(setting -> setting.path().equals(path))
                .findFirst()
                .orElseThrow();
        return found.value() + " from " + found.origin();
    }

    @Test
    void aValueTakesThePlaceOfTheOneInTheFile() {
        Reading changed = with(
                new Edit.Put("buckets[b1].max_connections", "7"),
                new Edit.Put("buckets[b1].health.interval", "20s"),
                new Edit.Put("proxy.query_timeout", "5m"));
        assertThat(value(changed, "buckets[b1].max_connections")).isEqualTo("7 from console:1");
        assertThat(value(changed, "buckets[b1].health.interval")).isEqualTo("20s from console:1");
        assertThat(value(changed, "proxy.query_timeout")).isEqualTo("5m from console:1");
        assertThat(value(changed, "buckets[b1].host")).isEqualTo("db from buckets.yaml:3");
        assertThat(value(files, "buckets[b1].max_connections")).as("as it was").isEqualTo("40 from buckets.yaml:5");
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        Reading changed = with(
                new Edit.Put("buckets[b1].min_idle", "9"),
                new Edit.Remove("buckets[b1].min_idle"),
                new Edit.Put("buckets[b1].health.interval", "20s"),
                new Edit.Remove("buckets[b1].health.interval"));
        assertThat(value(changed, "buckets[b1].min_idle")).isEqualTo("2 from default");
        assertThat(value(changed, "buckets[b1].health.interval")).isEqualTo("30s from default");

        Reading written = Readings.of("", Readings.ONE_BUCKET + "    min_idle: 7\n");
        assertThat(value(written, "buckets[b1].min_idle")).isEqualTo("7 from buckets.yaml:6");
        Reading removed = written.changed().apply(Overlay.NONE.plus(List.of(new Edit.Remove("buckets[b1].min_idle"))));
        assertThat(value(removed, "buckets[b1].min_idle")).isEqualTo("2 from default");
    }

    @Test
    void bucketsAreAddedAndDropped() {
        Edit second = new Edit.Add(
                "buckets", "b.2", Map.of("host", "other", "max_connections", "3", "databases", "one, two"));
        assertThat(with(second).orThrow().buckets())
                .extracting(BucketConfig::id)
                .containsExactly("b1", "b.2");
        assertThat(value(with(second), "buckets[b.2].databases")).isEqualTo("[one, two] from console:1");
        Reading changed =
                with(second, new Edit.Put("buckets[b.2].max_connections", "4"), new Edit.Drop("buckets", "b1"));
        assertThat(value(changed, "buckets[b.2].max_connections")).isEqualTo("4 from console:1");
        assertThat(changed.orThrow().buckets()).extracting(BucketConfig::id).containsExactly("b.2");
    }

    @Test
    void itIsCheckedByTheSameRules() {
        assertThat(Readings.lines(with(new Edit.Put("buckets[b1].max_connections", "many"))))
                .first()
                .asString()
                .startsWith("console:1:1: error: buckets[b1].max_connections: 'many' ");
        assertThat(Readings.lines(with(new Edit.Put("buckets[b1].max_conections", "7"))))
                .first()
                .asString()
                .contains("Did you mean 'max_connections'?");
        assertThat(Readings.lines(with(new Edit.Add("buckets", "b1", Map.of("host", "x", "max_connections", "1")))))
                .first()
                .asString()
                .contains("There is another bucket with this id");
        assertThat(with(new Edit.Drop("buckets", "b1")).configuration())
                .as("no bucket at all")
                .isEmpty();
    }
}
