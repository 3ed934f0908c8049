package dev.comporta.jdbc.session;

import dev.comporta.pool.stats.Histogram;
import dev.comporta.pool.stats.HistogramSnapshot;

/**
 * How long queries took, of all sessions that share it. Any thread may record. A histogram is for one thread at a time, so
 * there are several, and threads rarely compete for the lock of one.
 */
public final class QueryTimes {
    /** More than the threads that run at the same time on most machines. */
    private static final int STRIPES = 16;

    private final Histogram[] stripes = new Histogram[STRIPES];

    public QueryTimes() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Histogram();
        }
    }

    void record(long nanos) {
        Histogram own = stripes[(int) Thread.currentThread().threadId() & (STRIPES - 1)];
        synchronized (own) {
            own.record(nanos);
        }
    }

    public HistogramSnapshot snapshot() {
        HistogramSnapshot all = HistogramSnapshot.empty();
        for (Histogram stripe : stripes) {
            synchronized (stripe) {
                all = all.plus(stripe.snapshot());
            }
        }
        return all;
    }
}
