package dev.comporta.pool.rate;

/**
 * A token bucket, stored as one number: the time at which it will be full again. Tokens come back one by one, up to the
 * burst.
 */
public final class RateLimit {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private long interval;
    private int burst;
    private long fullAt;

    /** Sets a new rate. Tokens that were used stay used, and come back at the new rate; at most the burst is missing. */
    public void configure(int perSecond, int newBurst, long now) {
        long missing = interval == 0 ? 0 : ceilDiv(Math.max(0, fullAt - now));
        interval = Math.max(1, NANOS_PER_SECOND / perSecond);
        burst = newBurst;
        fullAt = now + Math.min(missing, burst) * interval;
    }

    /** The tokens available now. */
    public int available(long now) {
        long missing = Math.max(0, fullAt - now);
        return (int) Math.max(0, burst - ceilDiv(missing));
    }

    private long ceilDiv(long nanos) {
        return (nanos + interval - 1) / interval;
    }

    public int burst() {
        return burst;
    }

    /** Takes a token. One must be available. */
    public void take(long now) {
        fullAt = Math.max(fullAt, now) + interval;
    }

    /** When this many tokens will be available; at most the burst. */
    public long whenAvailable(int tokens) {
        return fullAt - (burst - (long) Math.min(tokens, burst)) * interval;
    }
}
