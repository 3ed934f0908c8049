package dev.comporta.pool.rate;

/**
 * How often connections may be opened. A token bucket spreads them: it is stored as one number, the time at which it will
 * be full again, and tokens come back one by one, up to the burst. Alone it would allow the burst on top of the rate, so a
 * window limits the connects that the server sees within any second.
 */
public final class RateLimit {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final ConnectWindow window = new ConnectWindow();
    private long interval;
    private int burst;
    private int most;
    private long fullAt;

    /** Sets a new rate. Tokens that were used stay used, and come back at the new rate; at most the burst is missing. */
    public void configure(int perSecond, int newBurst, long now) {
        long missing = interval == 0 ? 0 : ceilDiv(Math.max(0, fullAt - now));
        interval = Math.max(1, NANOS_PER_SECOND / perSecond);
        burst = newBurst;
        most = Math.min(burst, perSecond);
        fullAt = now + Math.min(missing, burst) * interval;
        window.configure(perSecond);
    }

    /** How many connections may be opened now. */
    public int available(long now) {
        long missing = Math.max(0, fullAt - now);
        return (int) Math.min(window.available(now), Math.max(0, burst - ceilDiv(missing)));
    }

    private long ceilDiv(long nanos) {
        return (nanos + interval - 1) / interval;
    }

    /** How many may be opened at once after a quiet time. */
    public int most() {
        return most;
    }

    /** Takes a token. One must be available. */
    public void take(long now) {
        fullAt = Math.max(fullAt, now) + interval;
        window.count(now);
    }

    /** When this many will be available, if nothing is taken; at most those of {@link #most}. It may be in the past. */
    public long whenAvailable(int connects) {
        int n = Math.min(connects, most);
        return Math.max(fullAt - (burst - (long) n) * interval, window.whenAvailable(n));
    }
}
