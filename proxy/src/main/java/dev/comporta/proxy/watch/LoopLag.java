package dev.comporta.proxy.watch;

import dev.comporta.pool.stats.Histogram;
import dev.comporta.pool.stats.HistogramSnapshot;

/**
 * Measures how late an event loop runs what is due, by a periodic beat. A loop that was stuck for several beats makes up for
 * each of them, so that a stall counts in proportion to its length. Confined to its loop, but for {@link #snapshot}.
 */
final class LoopLag {
    /** Beats between two snapshots: a second. */
    private static final int BEATS_PER_SNAPSHOT = 10;

    private final long intervalNanos;
    private final Histogram late = new Histogram();
    private long dueAt;
    private int beats;

    private volatile HistogramSnapshot last = HistogramSnapshot.empty();

    /** @param now the time at which the first beat is one interval away */
    LoopLag(long intervalNanos, long now) {
        this.intervalNanos = intervalNanos;
        dueAt = now + intervalNanos;
    }

    void beat(long now) {
        late.record(now - dueAt);
        dueAt += intervalNanos;
        if (++beats % BEATS_PER_SNAPSHOT == 0) {
            last = late.snapshot();
        }
    }

    /** The latest snapshot, at most a second of the loop's running time old. Any thread. */
    HistogramSnapshot snapshot() {
        return last;
    }
}
