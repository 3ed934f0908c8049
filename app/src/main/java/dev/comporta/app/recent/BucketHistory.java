package dev.comporta.app.recent;

import dev.comporta.app.recent.Sample.Interval;
import dev.comporta.pool.stats.HistogramSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The last quarter of an hour of one bucket. A point takes about 200 bytes. The histograms from which percentiles are
 * computed are kept for one minute, and only their octaves that are not empty. Measured for 200 buckets: 12 MB with a request
 * a second in each, 28 MB with a hundred a second of all durations. Any thread.
 */
final class BucketHistory {
    /** A quarter of an hour, with a point every five seconds. */
    static final int POINTS = 180;

    /** Long enough that a quiet bucket's percentiles come from more than a few requests. */
    private static final long PERCENTILES_NANOS = Duration.ofMinutes(1).toNanos();

    /** Short enough to show soon that a load has stopped. */
    private static final long RATE_NANOS = Duration.ofSeconds(10).toNanos();

    /** A count of requests at a moment, from which a rate is computed. */
    private record Mark(long takenAt, long requests) {}

    private final Deque<Point> points = new ArrayDeque<>();
    private final Deque<Interval> intervals = new ArrayDeque<>();
    private final Deque<Mark> marks = new ArrayDeque<>();
    private Sample last;

    BucketHistory(Sample first) {
        last = first.atCreation();
        restart(first);
    }

    private void restart(Sample first) {
        last = first.atCreation();
        points.clear();
        intervals.clear();
        marks.clear();
        marks.add(new Mark(last.takenAt(), 0));
    }

    /** Ignores a sample that is not newer: the bucket's loop did not answer, and the sample is its last one. */
    synchronized void add(Sample sample) {
        if (sample.createdAt() != last.createdAt()) {
            restart(sample);
        }
        if (sample.takenAt() <= last.takenAt()) {
            return;
        }
        Interval interval = sample.since(last);
        double seconds = seconds(sample.takenAt() - last.takenAt());
        double rate = (sample.requests() - last.requests()) / seconds;
        points.add(new Point(
                sample.at(),
                sample.requests(),
                RecentFigures.of(rate, interval.waits(), interval.queries()),
                sample.failures().since(last.failures()),
                sample.occupancy()));
        if (points.size() > POINTS) {
            points.removeFirst();
        }
        intervals.add(interval);
        intervals.removeIf(old -> old.until() <= sample.takenAt() - PERCENTILES_NANOS);
        marks.add(new Mark(sample.takenAt(), sample.requests()));
        forgetMarks(sample.takenAt());
        last = sample;
    }

    /** Drops old marks, but keeps the latest one that is old enough to compute a rate from. */
    private void forgetMarks(long now) {
        Iterator<Mark> oldest = marks.iterator();
        oldest.next();
        int tooOld = 0;
        while (oldest.hasNext() && oldest.next().takenAt() <= now - RATE_NANOS) {
            tooOld++;
        }
        for (int i = 0; i < tooOld; i++) {
            marks.removeFirst();
        }
    }

    /** The figures up to this sample; up to the last one if that is later. */
    synchronized RecentFigures figures(Sample now) {
        if (now.createdAt() != last.createdAt()) {
            return new BucketHistory(now).figures(now);
        }
        Sample until = now.takenAt() > last.takenAt() ? now : last;
        Interval rest = until.since(last);
        HistogramSnapshot waits = rest.waits();
        HistogramSnapshot queries = rest.queries();
        for (Interval interval : intervals) {
            if (interval.until() > until.takenAt() - PERCENTILES_NANOS) {
                waits = waits.plus(interval.waits());
                queries = queries.plus(interval.queries());
            }
        }
        return RecentFigures.of(rate(until), waits, queries);
    }

    private double rate(Sample until) {
        Mark from = marks.getFirst();
        for (Mark mark : marks) {
            from = mark.takenAt() <= until.takenAt() - RATE_NANOS ? mark : from;
        }
        long nanos = until.takenAt() - from.takenAt();
        return nanos <= 0 ? 0 : (until.requests() - from.requests()) / seconds(nanos);
    }

    private static double seconds(long nanos) {
        return nanos / (double) Duration.ofSeconds(1).toNanos();
    }

    /** The oldest first. */
    synchronized List<Point> points() {
        return List.copyOf(points);
    }
}
