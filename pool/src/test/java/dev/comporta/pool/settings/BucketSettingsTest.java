package dev.comporta.pool.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.pool.settings.ExhaustionSettings.Policy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BucketSettingsTest {
    @Test
    void defaults() {
        BucketSettings s = BucketSettings.DEFAULTS;
        assertThat(s.maxConnections()).isEqualTo(50);
        assertThat(s.minIdle()).isEqualTo(2);
        assertThat(s.maxIdleTime()).isEqualTo(Duration.ofMinutes(5));
        assertThat(s.connectionTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(s.leaseRetry()).isEqualTo(Duration.ofMillis(500));
        assertThat(s.resetOnRelease()).isFalse();
        assertThat(s.queue()).isEqualTo(new QueueSettings(Duration.ofSeconds(30), 1000, QueueSettings.WhenDown.WAIT));
        assertThat(s.logins()).isEqualTo(new LoginSettings(0, false, Map.of()));
        assertThat(s.exhaustion())
                .isEqualTo(new ExhaustionSettings(ExhaustionSettings.Policy.WAIT, 0, Duration.ofSeconds(30)));
        assertThat(s.validation()).isEqualTo(new ValidationSettings(false, false, Duration.ofSeconds(30)));
        assertThat(s.warmUp()).isEqualTo(new WarmUpSettings(1, Duration.ofSeconds(10)));
        assertThat(s.reservoir())
                .isEqualTo(new ReservoirSettings(
                        0,
                        0,
                        1,
                        5,
                        Duration.ofMinutes(11),
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(45),
                        Duration.ofSeconds(30)));
        assertThat(s.connectRate()).isEqualTo(new ConnectRateSettings(100, 50));
        assertThat(s.health())
                .isEqualTo(new HealthSettings(
                        HealthSettings.Check.PING,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        3,
                        2,
                        Duration.ofMillis(500),
                        Duration.ofSeconds(5)));
        assertThat(s.but().build()).isEqualTo(s);
    }

    private static void refused(Runnable made, String key) {
        assertThatThrownBy(made::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
    }

    private static void refused(Runnable made, String key, String advice) {
        assertThatThrownBy(made::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + " is ")
                .hasMessageEndingWith(": " + advice);
    }

    @Test
    void messagesNameTheKeyAndSayWhatToDo() {
        BucketSettings d = BucketSettings.DEFAULTS;
        Duration no = Duration.ZERO;
        Duration minus = Duration.ofSeconds(-1);
        Duration second = Duration.ofSeconds(1);
        String longer = "set a duration longer than 0";
        refused(() -> d.but().maxConnections(0).build(), "max_connections", "set it to 1 or more");
        refused(() -> d.but().minIdle(-1).build(), "min_idle", "set it to 0 or more");
        refused(() -> d.but().minIdle(51).build(), "min_idle", "lower min_idle or raise max_connections");
        refused(() -> d.but().maxIdleTime(no).build(), "max_idle_time", longer);
        refused(() -> d.but().connectionTimeout(no).build(), "connection_timeout", longer);
        refused(
                () -> d.but().connectionTimeout(Duration.ofDays(400)).build(),
                "connection_timeout",
                "set at most 365 days");
        refused(() -> d.but().leaseRetry(no).build(), "lease_retry", longer);
        refused(() -> new QueueSettings(no, 1), "queue_timeout", longer);
        refused(() -> new QueueSettings(second, 0), "max_queue_size", "set it to 1 or more");
        refused(() -> new LoginSettings(-1, false, Map.of()), "max_connections_per_login", "set it to 0 or more");
        refused(() -> new LoginSettings.Rule(-1, 1), "logins.max_connections", "set it to 0 or more");
        refused(() -> new LoginSettings.Rule(1, 0), "logins.weight", "set it to 1 or more");
        refused(() -> new LoginSettings.Rule(1, 1001), "logins.weight", "weights are relative, set at most 1000");
        refused(
                () -> new ExhaustionSettings(Policy.OVERFLOW, 0, second),
                "exhaustion_policy",
                "set it to 1 or more, or choose wait");
        refused(
                () -> new ExhaustionSettings(Policy.WAIT, 1, second),
                "overflow_connections",
                "set exhaustion_policy to overflow, or overflow_connections to 0");
        refused(() -> new ExhaustionSettings(Policy.OVERFLOW, 1, no), "overflow_lifetime", longer);
        refused(() -> new ValidationSettings(false, false, minus), "validation_interval", "set 0 or a longer duration");
        refused(() -> new WarmUpSettings(-1, second), "warmup_connections", "set it to 0 or more");
        refused(() -> new WarmUpSettings(1, no), "warmup_deadline", longer);
        refused(() -> new ConnectRateSettings(0, 1), "connect_rate", "set it to 1 or more");
        refused(() -> new ConnectRateSettings(1, 0), "connect_burst", "set it to 1 or more");
    }

    @Test
    void reservoirAndHealthMustMakeSense() {
        Duration s = Duration.ofSeconds(1);
        Duration life = Duration.ofSeconds(10);
        refused(() -> new ReservoirSettings(-1, 0, 1, 1, life, s, s, s), "target_ready");
        refused(() -> new ReservoirSettings(0, -1, 1, 1, life, s, s, s), "low_watermark");
        refused(() -> new ReservoirSettings(0, 0, 0, 1, life, s, s, s), "refill");
        refused(() -> new ReservoirSettings(0, 0, 2, 1, life, s, s, s), "fast_refill");
        refused(() -> new ReservoirSettings(0, 0, 1, 1, s, s, s, s), "lengthen base_lifetime");
        BucketSettings.Builder tooMany =
                BucketSettings.DEFAULTS.but().reservoir(new ReservoirSettings(51, 0, 1, 1, life, s, s, s));
        refused(tooMany::build, "lower target_ready");
        HealthSettings.Check ping = HealthSettings.Check.PING;
        refused(() -> new HealthSettings(ping, s, s, 0, 1, s, s), "failure_threshold");
        refused(() -> new HealthSettings(ping, s, s, 1, 0, s, s), "recovery_threshold");
        refused(() -> new HealthSettings(ping, s, Duration.ZERO, 1, 1, s, s), "health_check_timeout");
        refused(() -> new HealthSettings(ping, s, s, 1, 1, life, s), "max_backoff");
    }
}
