package dev.comporta.pool.stats;

/**
 * What happened in a pool, or in all pools of a bucket, since it was made.
 *
 * @param attached requests that got a connection
 * @param attachedAtOnce of those, without waiting
 * @param queued requests that found nothing ready and had to wait, whatever came of them
 * @param cancelled requests that left the queue of their own accord
 * @param timeouts requests refused after {@code queue_timeout}
 * @param waitNanos time waited, by those that got a connection in the end
 * @param lifeNanos age of the connections that were closed
 */
public record TrafficSnapshot(
        long attached,
        long released,
        long attachedAtOnce,
        long queued,
        long cancelled,
        long opened,
        long closed,
        long timeouts,
        long waitNanos,
        long lifeNanos,
        long validations,
        long validationFailures,
        long resets,
        long resetFailures,
        long queries,
        long queryNanos,
        long bytesSent,
        long bytesReceived) {
    public double averageWaitMillis() {
        return attached == 0 ? 0 : waitNanos / 1e6 / attached;
    }

    public double averageLifeSeconds() {
        return closed == 0 ? 0 : lifeNanos / 1e9 / closed;
    }
}
