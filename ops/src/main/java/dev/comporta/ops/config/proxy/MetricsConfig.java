package dev.comporta.ops.config.proxy;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/**
 * The metrics exported for Prometheus.
 *
 * @param aliases whether they are exported under other pools' names too
 */
public record MetricsConfig(boolean aliases) {
    private static final Key<Boolean> ALIASES = Key.of("aliases", ValueTypes.bool(), "false");

    static final Schema SCHEMA = Schema.of(ALIASES);

    static MetricsConfig read(Section section) {
        return new MetricsConfig(section.get(ALIASES));
    }
}
