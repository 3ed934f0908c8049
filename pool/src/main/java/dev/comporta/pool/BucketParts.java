package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.stats.Tallies;
import java.util.random.RandomGenerator;

/**
 * What a bucket is made of: the books, the parts that work on them, and what all of them may look at. Each part knows the
 * bucket and finds the others through it. What happens to it, and in which order they work then, is {@link Bucket}'s.
 */
abstract sealed class BucketParts permits Bucket {
    private final String id;
    private long now;
    boolean removed;
    final LeasePort leases;

    final RandomGenerator random;
    final SessionDistance distance;
    Tuning tuning;
    /** Connections of an earlier one close as they come free. */
    long generation;

    final OrderRing ring;
    final PoolTable pools;
    final Ledger ledger;
    final Slots slots;
    final Health health;
    final Openings openings;
    final Dispatcher dispatcher;
    final Coverage coverage;
    final LoginLane lane;
    final Checks checks;
    final Reservoir reservoir;
    final Usage usage;
    final Steward steward;

    final Tallies tallies;

    BucketParts(
            String id,
            BucketSettings settings,
            Orders orders,
            LeasePort leases,
            RandomGenerator random,
            SessionDistance distance,
            long now) {
        this.id = id;
        this.random = random;
        this.distance = distance;
        this.now = now;
        this.leases = leases;
        Bucket self = (Bucket) this; // the only one there is
        tuning = new Tuning(settings, 0);
        tallies = new Tallies(now);
        ring = new OrderRing(self, orders, leases);
        pools = new PoolTable(self);
        ledger = new Ledger(self);
        slots = new Slots(self);
        health = new Health(self);
        openings = new Openings(self, leases.metersConnects());
        dispatcher = new Dispatcher(self);
        coverage = new Coverage(self);
        lane = new LoginLane(self);
        checks = new Checks(self);
        reservoir = new Reservoir(self);
        usage = new Usage(self);
        steward = new Steward(self);
    }

    public final String id() {
        return id;
    }

    /** The time of the latest event. */
    public final long now() {
        return now;
    }

    public final boolean isRemoved() {
        return removed;
    }

    /** A time before the last one is taken for the last one. */
    final void advance(long at) {
        if (at > now) {
            now = at;
        }
    }
}
