package dev.comporta.ops.config.fleet;

import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;

/**
 * Whether and how an instance goes on while the store of slots can't be reached.
 *
 * @param localLimitDivisor an instance then opens at most a bucket's limit divided by this number. It must be at least the
 *     number of instances, or together they could exceed the limit
 */
public record FallbackConfig(boolean enabled, int localLimitDivisor) {
    private static final Key<Boolean> ENABLED = Key.of("enabled", ValueTypes.bool(), "true");
    static final Key<Integer> LOCAL_LIMIT_DIVISOR = Key.of("local_limit_divisor", ValueTypes.integer(1, 10_000), "3");

    public static final Schema SCHEMA = Schema.of(ENABLED, LOCAL_LIMIT_DIVISOR);

    public static FallbackConfig read(Section section) {
        return new FallbackConfig(section.get(ENABLED), section.get(LOCAL_LIMIT_DIVISOR));
    }
}
