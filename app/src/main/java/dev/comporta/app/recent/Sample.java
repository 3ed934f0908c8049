package dev.comporta.app.recent;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.HistogramSnapshot;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * A bucket at one moment, with counts since the bucket was added.
 *
 * @param createdAt when it was added, in the bucket's time: distinguishes it from an earlier bucket with the same id
 * @param takenAt the moment in the bucket's time
 * @param at the same moment in the time of the clock
 */
record Sample(
        long createdAt,
        long takenAt,
        Instant at,
        long requests,
        HistogramSnapshot waits,
        HistogramSnapshot queries,
        Failures failures,
        Occupancy occupancy) {
    static Sample of(Glance glance) {
        BucketSnapshot pool = glance.pool();
        return new Sample(
                pool.createdAt(),
                glance.now(), // not the snapshot's time, which stands still while nothing happens
                glance.at(),
                pool.traffic().queries(),
                pool.waitTime(),
                pool.queryTime(),
                new Failures(pool.errors(), pool.refusals()),
                new Occupancy(
                        glance.clients(),
                        pool.active(),
                        pool.idle(),
                        pool.count(ConnectionState.PINNED),
                        pool.waiting(),
                        pool.limit(),
                        pins(pool)));
    }

    private static Map<PinReason, Integer> pins(BucketSnapshot pool) {
        Map<PinReason, Integer> pins = new EnumMap<>(PinReason.class);
        for (BucketSnapshot.ConnectionSnapshot connection : pool.connections()) {
            if (connection.pinReason() != null) {
                pins.merge(connection.pinReason(), 1, Integer::sum);
            }
        }
        return pins;
    }

    /** The same bucket at the moment when it was added, with all counts 0. */
    Sample atCreation() {
        return new Sample(
                createdAt,
                createdAt,
                at.plusNanos(createdAt - takenAt),
                0,
                HistogramSnapshot.empty(),
                HistogramSnapshot.empty(),
                Failures.NONE,
                Occupancy.NONE);
    }

    Interval since(Sample earlier) {
        return new Interval(takenAt, waits.minus(earlier.waits), queries.minus(earlier.queries));
    }

    /** The requests of an interval that ends at a moment of the bucket's time. */
    record Interval(long until, HistogramSnapshot waits, HistogramSnapshot queries) {}
}
