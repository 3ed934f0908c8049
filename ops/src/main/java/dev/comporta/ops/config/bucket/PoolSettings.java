package dev.comporta.ops.config.bucket;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.settings.WarmUpSettings;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells the pool what the files say of a bucket. The two keep records of their own: the pool's say what it does, those
 * here what people write.
 */
public final class PoolSettings {
    private PoolSettings() {}

    public static BucketSettings of(BucketConfig bucket) {
        CapacitySettings capacity = bucket.capacity();
        return new BucketSettings(
                capacity.maxConnections(),
                capacity.minIdle(),
                capacity.maxIdleTime(),
                capacity.connectionTimeout(),
                capacity.leaseRetry(),
                bucket.resetOnRelease(),
                new dev.comporta.pool.settings.QueueSettings(
                        bucket.queue().timeout(), bucket.queue().maxSize()),
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
        for (dev.comporta.ops.config.bucket.LoginSettings login : bucket.auth().logins()) {
            rules.put(login.username(), new LoginSettings.Rule(login.maxConnections(), login.weight()));
        }
        return new LoginSettings(
                bucket.capacity().maxConnectionsPerLogin(), bucket.queue().fairness() == Fairness.LOGIN, rules);
    }

    private static ExhaustionSettings exhaustion(QueueSettings queue) {
        return switch (queue.policy()) {
            case WAIT ->
                new ExhaustionSettings(
                        ExhaustionSettings.Policy.WAIT, 0, queue.overflow().lifetime());
            case FAIL_FAST ->
                new ExhaustionSettings(
                        ExhaustionSettings.Policy.FAIL_FAST, 0, queue.overflow().lifetime());
            case OVERFLOW ->
                new ExhaustionSettings(
                        ExhaustionSettings.Policy.OVERFLOW,
                        queue.overflow().max(),
                        queue.overflow().lifetime());
        };
    }

    private static dev.comporta.pool.settings.ValidationSettings validation(ValidationSettings validation) {
        return new dev.comporta.pool.settings.ValidationSettings(
                validation.onAcquire(), validation.onRelease(), validation.afterIdle());
    }

    private static dev.comporta.pool.settings.ReservoirSettings reservoir(ReservoirSettings reservoir) {
        return new dev.comporta.pool.settings.ReservoirSettings(
                reservoir.targetReady(),
                reservoir.lowWatermark(),
                reservoir.refill(),
                reservoir.fastRefill(),
                reservoir.maxLifetime(),
                reservoir.lifetimeJitter(),
                reservoir.guardWindow(),
                reservoir.replaceAhead());
    }

    private static dev.comporta.pool.settings.HealthSettings health(HealthSettings health) {
        return new dev.comporta.pool.settings.HealthSettings(
                switch (health.type()) {
                    case PING -> dev.comporta.pool.settings.HealthSettings.Check.PING;
                    case QUERY -> dev.comporta.pool.settings.HealthSettings.Check.QUERY;
                    case FULL -> dev.comporta.pool.settings.HealthSettings.Check.FULL;
                },
                health.interval(),
                health.timeout(),
                health.failureThreshold(),
                health.recoveryThreshold(),
                health.backoff(),
                health.maxBackoff());
    }
}
