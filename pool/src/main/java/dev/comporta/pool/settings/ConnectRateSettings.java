package dev.comporta.pool.settings;

/**
 * How fast connections may be opened to the bucket, by this instance and by all of a fleet together.
 *
 * @param perSecond {@code connect_rate}: the most within any second, bursts included
 * @param burst {@code connect_burst}: how many of them may be opened at once after a quiet time
 */
public record ConnectRateSettings(int perSecond, int burst) {
    public static final ConnectRateSettings DEFAULTS = new ConnectRateSettings(100, 50);

    public ConnectRateSettings {
        Require.atLeast("connect_rate", perSecond, 1);
        Require.atLeast("connect_burst", burst, 1);
    }
}
