package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * Connections opened before a client asks for one.
 *
 * @param connections {@code warmup_connections}: to open for each pool declared in the configuration; 0 for none
 * @param deadline {@code warmup_deadline}: the warm-up ends after this, complete or not
 */
public record WarmUpSettings(int connections, Duration deadline) {
    public static final WarmUpSettings DEFAULTS = new WarmUpSettings(1, Duration.ofSeconds(10));

    public WarmUpSettings {
        Require.atLeast("warmup_connections", connections, 0);
        Require.positive("warmup_deadline", deadline);
    }
}
