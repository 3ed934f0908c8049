package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/** Connections beyond a bucket's limit: how many each instance may open, and how soon they close again. */
public record OverflowConfig(int max, Duration lifetime) {
    private static final Key<Integer> MAX = Key.of("max", ValueTypes.integer(1, 32_767), "5");
    private static final Key<Duration> LIFETIME = Key.of("lifetime", ValueTypes.duration(), "30s");

    static final Schema SCHEMA = Schema.of(MAX, LIFETIME);

    static OverflowConfig read(Section section) {
        return new OverflowConfig(section.get(MAX), section.get(LIFETIME));
    }
}
