package dev.comporta.pool.settings;

import java.time.Duration;

/**
 * Everything that can be set for a bucket. Immutable: a change is a new record.
 *
 * @param maxConnections {@code max_connections}: the limit, over the whole fleet
 * @param minIdle {@code min_idle}: ready connections that are kept however long they are idle
 * @param maxIdleTime {@code max_idle_time}: beyond {@code minIdle}, a connection idle for longer is closed
 * @param connectionTimeout {@code connection_timeout}: for connecting and logging in together
 * @param leaseRetry {@code lease_retry}: how long to wait before asking again for a slot that was denied
 * @param resetOnRelease {@code reset_on_release}: reset a connection when it comes back, before anyone else gets it. Off
 *     by default: the reset then rides on the next client's first message and costs no round trip
 */
public record BucketSettings(
        int maxConnections,
        int minIdle,
        Duration maxIdleTime,
        Duration connectionTimeout,
        Duration leaseRetry,
        boolean resetOnRelease,
        QueueSettings queue,
        LoginSettings logins,
        ExhaustionSettings exhaustion,
        ValidationSettings validation,
        WarmUpSettings warmUp,
        ReservoirSettings reservoir,
        ConnectRateSettings connectRate,
        HealthSettings health) {
    /** The prototype's slot polling interval: short against a queue timeout, long against a round trip to Redis. */
    private static final Duration LEASE_RETRY = Duration.ofMillis(500);

    public static final BucketSettings DEFAULTS = new BucketSettings(
            50,
            2,
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            LEASE_RETRY,
            false,
            QueueSettings.DEFAULTS,
            LoginSettings.DEFAULTS,
            ExhaustionSettings.DEFAULTS,
            ValidationSettings.DEFAULTS,
            WarmUpSettings.DEFAULTS,
            ReservoirSettings.DEFAULTS,
            ConnectRateSettings.DEFAULTS,
            HealthSettings.DEFAULTS);

    public BucketSettings {
        Require.atLeast("max_connections", maxConnections, 1);
        Require.atLeast("min_idle", minIdle, 0);
        Require.positive("max_idle_time", maxIdleTime);
        Require.positive("connection_timeout", connectionTimeout);
        Require.positive("lease_retry", leaseRetry);
        Require.that(
                minIdle <= maxConnections,
                "min_idle is " + minIdle + ", more than max_connections, which is " + maxConnections
                        + ": lower min_idle or raise max_connections");
        Require.that(
                reservoir.targetReady() <= maxConnections,
                "target_ready is " + reservoir.targetReady() + ", more than max_connections, which is " + maxConnections
                        + ": lower target_ready or raise max_connections");
    }

    /** A builder that starts from these settings. */
    public Builder but() {
        return new Builder(this);
    }

    /** Ready connections the reservoir keeps. */
    public int floor() {
        return Math.max(minIdle, reservoir.targetReady());
    }

    /** Builds settings that differ from others in some values. */
    public static final class Builder {
        private int maxConnections;
        private int minIdle;
        private Duration maxIdleTime;
        private Duration connectionTimeout;
        private Duration leaseRetry;
        private boolean resetOnRelease;
        private QueueSettings queue;
        private LoginSettings logins;
        private ExhaustionSettings exhaustion;
        private ValidationSettings validation;
        private final WarmUpSettings warmUp;
        private ReservoirSettings reservoir;
        private ConnectRateSettings connectRate;
        private HealthSettings health;

        private Builder(BucketSettings from) {
            maxConnections = from.maxConnections;
            minIdle = from.minIdle;
            maxIdleTime = from.maxIdleTime;
            connectionTimeout = from.connectionTimeout;
            leaseRetry = from.leaseRetry;
            resetOnRelease = from.resetOnRelease;
            queue = from.queue;
            logins = from.logins;
            exhaustion = from.exhaustion;
            validation = from.validation;
            warmUp = from.warmUp;
            reservoir = from.reservoir;
            connectRate = from.connectRate;
            health = from.health;
        }

        public Builder maxConnections(int value) {
            maxConnections = value;
            return this;
        }

        public Builder minIdle(int value) {
            minIdle = value;
            return this;
        }

        public Builder maxIdleTime(Duration value) {
            maxIdleTime = value;
            return this;
        }

        public Builder connectionTimeout(Duration value) {
            connectionTimeout = value;
            return this;
        }

        public Builder leaseRetry(Duration value) {
            leaseRetry = value;
            return this;
        }

        public Builder resetOnRelease(boolean value) {
            resetOnRelease = value;
            return this;
        }

        public Builder queue(QueueSettings value) {
            queue = value;
            return this;
        }

        public Builder logins(LoginSettings value) {
            logins = value;
            return this;
        }

        public Builder exhaustion(ExhaustionSettings value) {
            exhaustion = value;
            return this;
        }

        public Builder validation(ValidationSettings value) {
            validation = value;
            return this;
        }

        public Builder reservoir(ReservoirSettings value) {
            reservoir = value;
            return this;
        }

        public Builder connectRate(ConnectRateSettings value) {
            connectRate = value;
            return this;
        }

        public Builder health(HealthSettings value) {
            health = value;
            return this;
        }

        public BucketSettings build() {
            return new BucketSettings(
                    maxConnections,
                    minIdle,
                    maxIdleTime,
                    connectionTimeout,
                    leaseRetry,
                    resetOnRelease,
                    queue,
                    logins,
                    exhaustion,
                    validation,
                    warmUp,
                    reservoir,
                    connectRate,
                    health);
        }
    }
}
