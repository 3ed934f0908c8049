package dev.comporta.jdbc.micrometer;

import dev.comporta.pool.stats.HistogramSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Percentiles of about the last minute, from histograms that count for ever. Subtracts a snapshot that it has kept from an
 * earlier reading, at least a minute ago if there was one, else from the first. Thread-safe.
 */
final class RecentTimes {
    private static final long WINDOW_NANOS = 60_000_000_000L;
    /** Two readers, or two percentiles of one scrape, see the same window. */
    private static final long STEP_NANOS = 5_000_000_000L;

    /** @param atOnce how many took no time, and are not in the histogram */
    private record Sample(long at, long atOnce, HistogramSnapshot times) {}

    private final LongSupplier nanoClock;
    private final Deque<Sample> samples = new ArrayDeque<>();

    RecentTimes(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** NaN if nothing was counted, as in Prometheus. */
    synchronized double percentileSeconds(double share, long atOnce, HistogramSnapshot times) {
        Sample now = new Sample(nanoClock.getAsLong(), atOnce, times);
        Sample before = before(now);
        long fast = atOnce - before.atOnce();
        HistogramSnapshot slow = times.minus(before.times());
        long all = fast + slow.count();
        if (all <= 0) {
            return Double.NaN;
        }
        long rank = Math.max(1, (long) Math.ceil(share * all));
        return rank <= fast ? 0 : slow.percentileNanos((double) (rank - fast) / slow.count()) / 1e9;
    }

    private Sample before(Sample now) {
        if (samples.isEmpty()) {
            samples.add(new Sample(now.at(), 0, HistogramSnapshot.empty()));
        }
        if (now.at() - samples.getLast().at() >= STEP_NANOS) {
            samples.add(now);
        }
        Sample oldest = samples.getFirst();
        while (samples.size() > 1) {
            samples.removeFirst();
            if (now.at() - samples.getFirst().at() < WINDOW_NANOS) {
                samples.addFirst(oldest);
                return oldest;
            }
            oldest = samples.getFirst();
        }
        return oldest;
    }
}
