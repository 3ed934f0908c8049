package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.state.CloseReason;

/** What the operator does with a bucket, by hand or by the configuration: events with their time, as those of {@link Bucket}. */
public final class BucketControl {
    private final Bucket bucket;
    private final Conditions conditions;
    private final LeasePort leases;

    BucketControl(Bucket bucket, LeasePort leases) {
        this.bucket = bucket;
        this.leases = leases;
        conditions = bucket.conditions;
    }

    /**
     * New settings, from now on. A lower limit closes idle connections now and others as they come free. A changed one is
     * told to the lease store, for all instances.
     */
    public void reconfigure(BucketSettings settings, long at) {
        Tuning before = conditions.tuning();
        boolean sameLimit = settings.maxConnections() == before.settings.maxConnections();
        conditions.advance(at);
        retune(new Tuning(settings, sameLimit ? before.limit : 0));
        if (!sameLimit) {
            leases.limitChanged(settings.maxConnections());
        }
    }

    void retune(Tuning to) {
        conditions.retune(to);
        bucket.openings.reconfigure();
        bucket.health.reconfigure();
        bucket.pools.reconfigure();
        bucket.reservoir.reconfigure();
        bucket.dispatcher.serveAllReady();
        bucket.settle();
    }

    /** Opens so many connections of this pool, whether anyone asks or not; {@link Orders#warmedUp} says when that is over. */
    public void warmUp(Pool pool, int connections, long deadline, long at) {
        conditions.advance(at);
        bucket.pools.warmUp(bucket.pools.awake(pool), connections, deadline);
        bucket.settle();
    }

    /** Replaces all connections: idle ones now, others as they come free. */
    public void reconnect(long at) {
        conditions.advance(at);
        conditions.reconnect();
        bucket.openings.closeIdle(CloseReason.RECONNECT);
        bucket.settle();
    }

    /** Removes a pool: its waiters are refused, its idle connections close now, others as they come free. */
    public void retire(Pool pool, long at) {
        conditions.advance(at);
        Pool known = bucket.pools.awake(pool);
        known.standing = Pool.Standing.RETIRED;
        bucket.dispatcher.retire(known);
        bucket.openings.retire(known);
        bucket.pools.retired(known);
        bucket.settle();
    }

    /** Removes the bucket: who waits is refused, who has a connection keeps it to its end. Then {@link Orders#drained}. */
    public void remove(long at) {
        conditions.advance(at);
        conditions.remove();
        bucket.settle();
    }
}
