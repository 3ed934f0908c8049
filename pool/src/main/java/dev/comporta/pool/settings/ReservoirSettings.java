package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * The stock of ready connections: how large, how fast it is refilled, how long a connection lives.
 *
 * @param targetReady {@code target_ready}: ready connections to keep; 0 keeps {@code min_idle} alone
 * @param lowWatermark {@code low_watermark}: below this the stock is refilled {@code fastRefill} at a time
 * @param refill {@code refill}: connections opened for the stock at the same time
 * @param fastRefill {@code fast_refill}: the same, below the low watermark
 * @param lifetime {@code base_lifetime}: how long a connection lives
 * @param lifetimeJitter {@code lifetime_jitter}: up to this much is added, drawn once for each connection, so that those
 *     opened together don't expire together
 * @param guardWindow {@code guard_window}: a connection that expires within it is not handed out any more
 * @param replaceAhead {@code replace_ahead}: a replacement is opened this long before the guard window
 */
public record ReservoirSettings(
        int targetReady,
        int lowWatermark,
        int refill,
        int fastRefill,
        Duration lifetime,
        Duration lifetimeJitter,
        Duration guardWindow,
        Duration replaceAhead) {
    public static final ReservoirSettings DEFAULTS = new ReservoirSettings(
            0, 0, 1, 5, Duration.ofMinutes(11), Duration.ofMinutes(2), Duration.ofSeconds(45), Duration.ofSeconds(30));

    public ReservoirSettings {
        Require.atLeast("target_ready", targetReady, 0);
        Require.atLeast("low_watermark", lowWatermark, 0);
        Require.atLeast("refill", refill, 1);
        Require.positive("base_lifetime", lifetime);
        Require.notNegative("lifetime_jitter", lifetimeJitter);
        Require.notNegative("guard_window", guardWindow);
        Require.notNegative("replace_ahead", replaceAhead);
        Require.that(
                fastRefill >= refill,
                "fast_refill is " + fastRefill + ", less than refill, which is " + refill
                        + ": below the low watermark the stock should not grow more slowly");
        Require.that(
                guardWindow.plus(replaceAhead).compareTo(lifetime) < 0,
                "guard_window + replace_ahead is " + guardWindow.plus(replaceAhead) + ", base_lifetime is " + lifetime
                        + ": a connection must be of use for a while, so lengthen base_lifetime or shorten the others");
    }
}
