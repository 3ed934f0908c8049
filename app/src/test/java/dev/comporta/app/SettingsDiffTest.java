package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SettingsDiffTest {
    @Test
    void whatStaysIsToldAgainUntilTheRestart() {
        Map<String, String> inForce =
                Map.of("proxy.listen_port", "1", "proxy.queue_timeout", "1s", "buckets[a].host", "x");
        Map<String, String> wanted =
                Map.of("proxy.listen_port", "2", "proxy.queue_timeout", "2s", "buckets[b].host", "y");
        SettingsDiff diff = SettingsDiff.between(inForce, wanted, Set.of());
        assertThat(diff.taken()).containsExactly("proxy.queue_timeout: 2s instead of 1s");
        assertThat(diff.afterRestart()).containsExactly("proxy.listen_port");
        assertThat(SettingsDiff.afterwards(inForce, wanted, Set.of()))
                .isEqualTo(Map.of("proxy.listen_port", "1", "proxy.queue_timeout", "2s", "buckets[b].host", "y"));
    }

    @Test
    void whatComesToAKeptBucketOrGoesIsADifference() {
        Map<String, String> without = Map.of("buckets[a].host", "x");
        Map<String, String> with =
                Map.of("buckets[a].host", "x", "buckets[a].ca_file", "f", "buckets[a].database", "d");
        SettingsDiff more = SettingsDiff.between(without, with, Set.of("a"));
        assertThat(more.taken()).containsExactly("buckets[a].database: d instead of nothing");
        assertThat(more.afterRestart()).containsExactly("buckets[a].ca_file");
        SettingsDiff less = SettingsDiff.between(with, without, Set.of("a"));
        assertThat(less.taken()).containsExactly("buckets[a].database: nothing instead of d");
        assertThat(less.afterRestart()).containsExactly("buckets[a].ca_file");
        assertThat(SettingsDiff.afterwards(without, with, Set.of("a")).keySet())
                .containsExactlyInAnyOrder("buckets[a].host", "buckets[a].database");
    }

    @Test
    void everyEntryIsAKeyThatThereIsAndTheBookNamesIt() throws IOException {
        Set<String> known = new TreeSet<>();
        ConfigurationReader.PROXY_FILE.visit("", (path, entry) -> known.add(path));
        ConfigurationReader.BUCKETS_FILE.visit("", (path, entry) -> known.add(path));
        String book = Files.readString(Path.of("..", "docs", "configuration.md"));
        int from = book.indexOf("## Changing it while it runs");
        String section = book.substring(from, book.indexOf("\n## ", from + 1));
        for (String key : SettingsDiff.NEED_RESTART) {
            assertThat(known).anyMatch(path -> key.endsWith(".") ? path.startsWith(key) : path.equals(key));
            assertThat(section).contains("`" + (key.endsWith(".") ? key + "*" : key) + "`");
        }
    }
}
