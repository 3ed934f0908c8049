package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.value.DurationText;
import dev.comporta.ops.config.value.ValueTypes;
import dev.comporta.ops.config.yaml.Consistency;
import dev.comporta.ops.config.yaml.Key;
import dev.comporta.ops.config.yaml.Schema;
import dev.comporta.ops.config.yaml.Section;
import java.time.Duration;

/**
 * The ready connections of a bucket on each instance.
 *
 * @param targetReady how many are kept ready
 * @param lowWatermark with fewer ready connections than this, {@code fastRefill} applies
 * @param lifetimeJitter the most that is added at random to a connection's life when it opens, so that not all expire together
 * @param guardWindow a connection that expires within it is not handed out
 * @param replaceAhead how long before its guard window a connection's replacement is opened
 * @param refill connections opened at the same time
 * @param fastRefill the same, below {@code lowWatermark}
 * @param connectRate the most new connections within any second
 * @param connectBurst how many of them may be opened at once after a pause
 * @param initialFill connections opened before clients are accepted
 * @param initialFillTimeout the longest that accepting clients is delayed for that
 */
public record ReservoirConfig(
        int targetReady,
        int lowWatermark,
        Duration maxLifetime,
        Duration lifetimeJitter,
        Duration guardWindow,
        Duration replaceAhead,
        int refill,
        int fastRefill,
        int connectRate,
        int connectBurst,
        int initialFill,
        Duration initialFillTimeout) {
    private static final Key<Integer> TARGET_READY =
            Key.derived("target_ready", ValueTypes.integer(0, 32_767), "min_idle");
    private static final Key<Integer> LOW_WATERMARK =
            Key.derived("low_watermark", ValueTypes.integer(0, 32_767), "target_ready");
    private static final Key<Duration> MAX_LIFETIME = Key.of("max_lifetime", ValueTypes.duration(), "11m");
    private static final Key<Duration> LIFETIME_JITTER = Key.of("lifetime_jitter", ValueTypes.durationOrOff(), "2m");
    private static final Key<Duration> GUARD_WINDOW = Key.of("guard_window", ValueTypes.durationOrOff(), "45s");
    private static final Key<Duration> REPLACE_AHEAD = Key.of("replace_ahead", ValueTypes.durationOrOff(), "30s");
    private static final Key<Integer> REFILL = Key.of("refill", ValueTypes.integer(1, 1000), "1");
    private static final Key<Integer> FAST_REFILL = Key.of("fast_refill", ValueTypes.integer(1, 1000), "5");
    private static final Key<Integer> CONNECT_RATE = Key.of("connect_rate", ValueTypes.integer(1, 100_000), "100");
    private static final Key<Integer> CONNECT_BURST = Key.of("connect_burst", ValueTypes.integer(1, 100_000), "50");
    private static final Key<Integer> INITIAL_FILL = Key.of("initial_fill", ValueTypes.integer(0, 32_767), "1");
    private static final Key<Duration> INITIAL_FILL_TIMEOUT =
            Key.of("initial_fill_timeout", ValueTypes.duration(), "10s");

    static final Schema SCHEMA = Schema.of(
                    TARGET_READY, LOW_WATERMARK, MAX_LIFETIME, LIFETIME_JITTER, GUARD_WINDOW, REPLACE_AHEAD)
            .plus(REFILL, FAST_REFILL, CONNECT_RATE, CONNECT_BURST, INITIAL_FILL, INITIAL_FILL_TIMEOUT);

    public ReservoirConfig {
        new Consistency()
                .refuse(lowWatermark > targetReady, "low_watermark", "target_ready")
                .because(
                        "It is above target_ready (" + targetReady + "), so that refilling would always hurry.",
                        "Make it at most target_ready.")
                .refuse(
                        guardWindow.plus(replaceAhead).compareTo(maxLifetime) >= 0,
                        "guard_window",
                        "max_lifetime",
                        "replace_ahead")
                .because(
                        "Together with replace_ahead (" + DurationText.format(replaceAhead)
                                + ") it is not below max_lifetime (" + DurationText.format(maxLifetime)
                                + "), so that no connection could be used.",
                        "Lower it, or raise max_lifetime.")
                .refuse(fastRefill < refill, "fast_refill", "refill")
                .because(
                        "It is below refill (" + refill + "): the reservoir would refill more slowly when it is low.",
                        "Make it at least refill.")
                .orThrow();
    }

    static ReservoirConfig read(Section section, int minIdle) {
        return section.make(reservoir -> from(reservoir, minIdle));
    }

    private static ReservoirConfig from(Section section, int minIdle) {
        int targetReady = section.get(TARGET_READY, minIdle);
        return new ReservoirConfig(
                targetReady,
                section.get(LOW_WATERMARK, targetReady),
                section.get(MAX_LIFETIME),
                section.get(LIFETIME_JITTER),
                section.get(GUARD_WINDOW),
                section.get(REPLACE_AHEAD),
                section.get(REFILL),
                section.get(FAST_REFILL),
                section.get(CONNECT_RATE),
                section.get(CONNECT_BURST),
                section.get(INITIAL_FILL),
                section.get(INITIAL_FILL_TIMEOUT));
    }
}
