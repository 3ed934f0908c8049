package dev.comporta.proxy.watch;

import dev.comporta.pool.stats.Histogram;
import dev.comporta.pool.stats.HistogramSnapshot;

/**
 * How late an event loop does what is due, measured by a beat of its own. A loop that was stuck for several beats makes up
 * for each of them, so that a long stall counts as often as it would have been met. Confined to its loop, but for {@link
 * #snapshot}.
 */
final class LoopLag {
    /** Beats between two snapshots: a second. */
    private static final int BEATS_PER_SNAPSHOT = 10;

    private final long intervalNanos;
    private final Histogram late = new Histogram();
    private long dueAt;
    private int beats;

    private volatile HistogramSnapshot last = HistogramSnapshot.empty();

    /** @param now when the first beat is an interval away */
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

    /** As it was at most a second of the loop's work ago. Any thread. */
    HistogramSnapshot snapshot() {
        return last;
    }
}
