package dev.comporta.ops.config.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.ops.config.Readings;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.settings.ValidationSettings;
import dev.comporta.pool.settings.WarmUpSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolSettingsTest {
    private static BucketSettings settingsOf(String bucket) {
        String buckets = "buckets:\n  - id: b\n    host: h\n    database: d\n" + bucket.indent(4);
        return PoolSettings.of(Readings.of("", buckets).orThrow().buckets().getFirst());
    }

    @Test
    void whatTheFilesLeaveOutIsWhatThePoolTakesForGranted() {
        BucketSettings written = settingsOf("max_connections: 50");
        // The files say "as min_idle", the pool says 0, and both mean that.
        assertThat(written.floor()).isEqualTo(BucketSettings.DEFAULTS.floor());
        assertThat(written.but().reservoir(BucketSettings.DEFAULTS.reservoir()).build())
                .isEqualTo(BucketSettings.DEFAULTS);
        assertThat(written.reservoir())
                .usingRecursiveComparison()
                .ignoringFields("targetReady", "lowWatermark")
                .isEqualTo(BucketSettings.DEFAULTS.reservoir());
    }

    @Test
    void everythingThatIsWrittenReachesThePool() {
        BucketSettings written = settingsOf("""
                max_connections: 60
                min_idle: 3
                max_idle_time: 1m
                connection_timeout: 2s
                lease_retry: 3s
                reset_on_release: true
                queue_timeout: 4s
                max_queue_size: 5
                when_down: refuse
                max_connections_per_login: 6
                fairness: login
                logins:
                  - {username: web, max_connections: 7, weight: 8}
                  - {username: batch}
                exhaustion_policy: overflow
                overflow: {max: 9, lifetime: 10s}
                validation: {on_acquire: true, on_release: true, after_idle: 11s}
                reservoir:
                  target_ready: 12
                  low_watermark: 11
                  max_lifetime: 13m
                  lifetime_jitter: 14s
                  guard_window: 15s
                  replace_ahead: 16s
                  refill: 17
                  fast_refill: 18
                  connect_rate: 19
                  connect_burst: 20
                  initial_fill: 21
                  initial_fill_timeout: 22s
                health:
                  type: full
                  timeout: 23s
                  interval: 24s
                  failure_threshold: 25
                  recovery_threshold: 26
                  backoff: 27s
                  max_backoff: 28s""");
        assertThat(written)
                .isEqualTo(new BucketSettings(
                        60,
                        3,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        true,
                        new QueueSettings(Duration.ofSeconds(4), 5, QueueSettings.WhenDown.REFUSE),
                        new LoginSettings(
                                6,
                                true,
                                Map.of("web", new LoginSettings.Rule(7, 8), "batch", new LoginSettings.Rule(6, 1))),
                        new ExhaustionSettings(ExhaustionSettings.Policy.OVERFLOW, 9, Duration.ofSeconds(10)),
                        new ValidationSettings(true, true, Duration.ofSeconds(11)),
                        new WarmUpSettings(21, Duration.ofSeconds(22)),
                        new ReservoirSettings(
                                12,
                                11,
                                17,
                                18,
                                Duration.ofMinutes(13),
                                Duration.ofSeconds(14),
                                Duration.ofSeconds(15),
                                Duration.ofSeconds(16)),
                        new ConnectRateSettings(19, 20),
                        new HealthSettings(
                                HealthSettings.Check.FULL,
                                Duration.ofSeconds(24),
                                Duration.ofSeconds(23),
                                25,
                                26,
                                Duration.ofSeconds(27),
                                Duration.ofSeconds(28))));
    }

    @Test
    void overflowIsNothingUnderAnotherPolicy() {
        assertThat(settingsOf("max_connections: 5\nexhaustion_policy: fail_fast")
                        .exhaustion())
                .isEqualTo(new ExhaustionSettings(ExhaustionSettings.Policy.FAIL_FAST, 0, Duration.ofSeconds(30)));
    }
}
