package dev.comporta.pool.settings;

/** A bucket's settings as the state machine reads them: durations in nanoseconds, computed once. */
public final class Tuning {
    /**
     * The first pause between attempts while requests wait: when the address answers again, most of a failover is over, and
     * requests should not wait much longer.
     */
    private static final long HASTY_BACKOFF_NANOS = 100_000_000L;
    /** The longest pause while requests wait: one connect per second and instance burdens no server. */
    private static final long HASTY_MAX_BACKOFF_NANOS = 1_000_000_000L;

    /**
     * The first pause before a full server is tried again: long enough for one of its clients to disconnect, and short
     * enough for a user hardly to notice.
     */
    private static final long FULL_BACKOFF_NANOS = 250_000_000L;

    public final BucketSettings settings;
    public final ExhaustionSettings.Policy policy;
    public final int limit;
    public final int floor;
    public final int maxQueue;
    public final boolean fair;
    /** Whether requests wait for a server that is down. */
    public final boolean waitsWhenDown;

    public final boolean resetOnRelease;
    public final boolean validateOnRelease;
    /** An idle connection without an answer from the server for this long is validated before it is handed out. */
    public final long validateAfterNanos;

    public final long queueTimeoutNanos;
    public final long connectTimeoutNanos;
    public final long checkTimeoutNanos;
    public final long checkIntervalNanos;
    public final long maxIdleNanos;
    public final long leaseRetryNanos;
    public final long lifetimeNanos;
    public final long jitterNanos;
    public final long guardNanos;
    public final long replaceAheadNanos;
    public final long overflowLifeNanos;
    public final long backoffNanos;
    public final long maxBackoffNanos;
    /** The same while requests wait for the server. */
    public final long hastyBackoffNanos;

    public final long hastyMaxBackoffNanos;
    /** The pauses while the server is full. */
    public final long fullBackoffNanos;

    public final long fullMaxBackoffNanos;

    /** @param raised the limit to which another instance has raised this bucket's; 0 for none */
    public Tuning(BucketSettings s, int raised) {
        settings = s;
        policy = s.exhaustion().policy();
        limit = Math.max(s.maxConnections(), raised);
        floor = s.floor();
        maxQueue = s.queue().maxSize();
        fair = s.logins().fair();
        waitsWhenDown = s.queue().whenDown() == QueueSettings.WhenDown.WAIT;
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
        hastyBackoffNanos = Math.min(backoffNanos, HASTY_BACKOFF_NANOS);
        hastyMaxBackoffNanos = Math.min(maxBackoffNanos, HASTY_MAX_BACKOFF_NANOS);
        fullBackoffNanos = Math.min(maxBackoffNanos, FULL_BACKOFF_NANOS);
        fullMaxBackoffNanos = maxBackoffNanos;
    }
}
