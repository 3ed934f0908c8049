package dev.comporta.proxy.watch;

/**
 * Selects the slow requests of a bucket that are reported: a bounded number each second, so that a threshold that is too low,
 * or a server that is slow for everybody, costs little. Confined to the bucket's loop.
 */
public final class SlowRequests {
    /** More lines of one bucket than anybody reads; each copies up to some kilobytes of text. */
    static final int MOST_PER_SECOND = 20;

    private static final long SECOND = 1_000_000_000L;

    private final String bucket;
    private final News news;
    private final RelayCounters counters;
    private long secondBegan = -SECOND;
    private int toldThisSecond;
    private long untold;

    public SlowRequests(String bucket, News news, RelayCounters counters) {
        this.bucket = bucket;
        this.news = news;
        this.counters = counters;
    }

    public String bucket() {
        return bucket;
    }

    /** Whether slow requests are reported at all: only then are requests timed. */
    public boolean isWanted() {
        return news.slowRequestNanos() != Long.MAX_VALUE;
    }

    /**
     * Counts a request, if it is slow.
     *
     * @return whether it must be reported by {@link #tell}
     */
    public boolean mustTell(long totalNanos, long now) {
        if (totalNanos < news.slowRequestNanos()) {
            return false;
        }
        counters.slowRequests++;
        if (now - secondBegan >= SECOND) {
            secondBegan = now;
            toldThisSecond = 0;
        }
        if (toldThisSecond == MOST_PER_SECOND) {
            untold++;
            return false;
        }
        toldThisSecond++;
        return true;
    }

    /** The number that were not reported since the last that was. */
    public long takeUntold() {
        long n = untold;
        untold = 0;
        return n;
    }

    public void tell(SlowRequest request) {
        news.slowRequest(request);
    }
}
