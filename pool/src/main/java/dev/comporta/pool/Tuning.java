package dev.comporta.pool;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ExhaustionSettings;

/** A bucket's settings as the state machine reads them: durations in nanoseconds, computed once. */
final class Tuning {
    final BucketSettings settings;
    final ExhaustionSettings.Policy policy;
    final int limit;
    final int floor;
    final int maxQueue;
    final boolean fair;
    final boolean resetOnRelease;
    final boolean validateOnRelease;
    /** An idle connection not heard of for this long is validated before it is handed out. */
    final long validateAfterNanos;

    final long queueTimeoutNanos;
    final long connectTimeoutNanos;
    final long checkTimeoutNanos;
    final long checkIntervalNanos;
    final long maxIdleNanos;
    final long leaseRetryNanos;
    final long lifetimeNanos;
    final long jitterNanos;
    final long guardNanos;
    final long replaceAheadNanos;
    final long overflowLifeNanos;
    final long backoffNanos;
    final long maxBackoffNanos;

    /** @param raised what another instance's change of the limit lets this bucket have; 0 if there was none */
    Tuning(BucketSettings s, int raised) {
        settings = s;
        policy = s.exhaustion().policy();
        limit = Math.max(s.maxConnections(), raised);
        floor = s.floor();
        maxQueue = s.queue().maxSize();
        fair = s.logins().fair();
        resetOnRelease = s.resetOnRelease();
        validateOnRelease = s.validation().onRelease();
        long afterIdle = s.validation().afterIdle().toNanos();
        validateAfterNanos = s.validation().onAcquire() ? 0 : afterIdle == 0 ? Long.MAX_VALUE : afterIdle;
        queueTimeoutNanos = s.queue().timeout().toNanos();
        connectTimeoutNanos = s.connectionTimeout().toNanos();
        checkTimeoutNanos = s.health().timeout().toNanos();
        checkIntervalNanos = s.health().interval().toNanos();
        maxIdleNanos = s.maxIdleTime().toNanos();
        leaseRetryNanos = s.leaseRetry().toNanos();
        lifetimeNanos = s.reservoir().lifetime().toNanos();
        jitterNanos = s.reservoir().lifetimeJitter().toNanos();
        guardNanos = s.reservoir().guardWindow().toNanos();
        replaceAheadNanos = s.reservoir().replaceAhead().toNanos();
        overflowLifeNanos = s.exhaustion().overflowLifetime().toNanos();
        backoffNanos = s.health().backoff().toNanos();
        maxBackoffNanos = s.health().maxBackoff().toNanos();
    }
}
