package dev.comporta.ops.config.bucket;

import dev.comporta.ops.config.auth.LoginConfig;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.settings.ValidationSettings;
import dev.comporta.pool.settings.WarmUpSettings;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes the pool's settings of a bucket from its configuration. The two have separate records: the pool's say what it does,
 * those here what users write.
 */
public final class PoolSettings {
    private PoolSettings() {}

    public static BucketSettings of(BucketConfig bucket) {
        CapacityConfig capacity = bucket.capacity();
        return new BucketSettings(
                capacity.maxConnections(),
                capacity.minIdle(),
                capacity.maxIdleTime(),
                capacity.connectionTimeout(),
                capacity.leaseRetry(),
                bucket.resetOnRelease(),
                queue(bucket.queue()),
                logins(bucket),
                exhaustion(bucket.queue()),
                validation(bucket.validation()),
                new WarmUpSettings(
                        Math.min(bucket.reservoir().initialFill(), capacity.maxConnections()),
                        bucket.reservoir().initialFillTimeout()),
                reservoir(bucket.reservoir()),
                new ConnectRateSettings(
                        bucket.reservoir().connectRate(), bucket.reservoir().connectBurst()),
                health(bucket.health()));
    }

    private static LoginSettings logins(BucketConfig bucket) {
        Map<String, LoginSettings.Rule> rules = new LinkedHashMap<>();
        for (LoginConfig login : bucket.auth().logins()) {
            rules.put(login.username(), new LoginSettings.Rule(login.maxConnections(), login.weight()));
        }
        return new LoginSettings(
                bucket.capacity().maxConnectionsPerLogin(), bucket.queue().fairness() == Fairness.LOGIN, rules);
    }

    private static ExhaustionSettings exhaustion(QueueConfig queue) {
        ExhaustionSettings.Policy policy = switch (queue.policy()) {
            case WAIT -> ExhaustionSettings.Policy.WAIT;
            case FAIL_FAST -> ExhaustionSettings.Policy.FAIL_FAST;
            case OVERFLOW -> ExhaustionSettings.Policy.OVERFLOW;
        };
        OverflowConfig overflow = queue.overflow();
        int most = policy == ExhaustionSettings.Policy.OVERFLOW ? overflow.max() : 0;
        return new ExhaustionSettings(policy, most, overflow.lifetime());
    }

    private static QueueSettings queue(QueueConfig queue) {
        return new QueueSettings(
                queue.timeout(),
                queue.maxSize(),
                switch (queue.whenDown()) {
                    case WAIT -> QueueSettings.WhenDown.WAIT;
                    case REFUSE -> QueueSettings.WhenDown.REFUSE;
                });
    }

    private static ValidationSettings validation(ValidationConfig validation) {
        return new ValidationSettings(validation.onAcquire(), validation.onRelease(), validation.afterIdle());
    }

    private static ReservoirSettings reservoir(ReservoirConfig reservoir) {
        return new ReservoirSettings(
                reservoir.targetReady(),
                reservoir.lowWatermark(),
                reservoir.refill(),
                reservoir.fastRefill(),
                reservoir.maxLifetime(),
                reservoir.lifetimeJitter(),
                reservoir.guardWindow(),
                reservoir.replaceAhead());
    }

    private static HealthSettings health(HealthConfig health) {
        return new HealthSettings(
                switch (health.type()) {
                    case PING -> HealthSettings.Check.PING;
                    case QUERY -> HealthSettings.Check.QUERY;
                    case FULL -> HealthSettings.Check.FULL;
                },
                health.interval(),
                health.timeout(),
                health.failureThreshold(),
                health.recoveryThreshold(),
                health.backoff(),
                health.maxBackoff());
    }
}
