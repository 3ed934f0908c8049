package dev.comporta.pool.stats;

/**
 * What happened in a pool, or in all pools of a bucket, since it was made.
 *
 * @param attached requests that got a connection
 * @param attachedAtOnce requests that got a connection without waiting
 * @param queued requests that found nothing ready and had to wait, served or not
 * @param cancelled requests that their clients cancelled in the queue
 * @param timeouts requests refused after {@code queue_timeout}
 * @param waitNanos the total time that requests waited that got a connection
 * @param lifeNanos the total age of the connections that were closed
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
