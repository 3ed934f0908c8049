package dev.comporta.pool;

import dev.comporta.pool.health.Health;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.state.CloseReason;

/** The operator's commands to a bucket, direct or by the configuration: events with their time, like those of {@link Bucket}. */
public final class BucketControl {
    private final Conditions conditions;
    private final LeasePort leases;
    private final PoolTable pools;
    private final Openings openings;
    private final Health health;
    private final Dispatcher dispatcher;
    private final Reservoir reservoir;
    private final Resumption resumption;
    private final Runnable settle;

    /** @param settle finishes the event */
    BucketControl(
            Conditions conditions,
            LeasePort leases,
            PoolTable pools,
            Openings openings,
            Health health,
            Dispatcher dispatcher,
            Reservoir reservoir,
            Resumption resumption,
            Runnable settle) {
        this.conditions = conditions;
        this.leases = leases;
        this.pools = pools;
        this.openings = openings;
        this.health = health;
        this.dispatcher = dispatcher;
        this.reservoir = reservoir;
        this.resumption = resumption;
        this.settle = settle;
    }

    /**
     * Applies new settings. A lower limit closes idle connections now and others when they are released. A changed limit
     * is reported to the lease store, for all instances.
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
        openings.reconfigure();
        health.reconfigure();
        pools.reconfigure();
        reservoir.reconfigure();
        dispatcher.serveAllReady();
        settle.run();
    }

    /** Opens this many connections of the pool, whether or not a client asks for one; {@link Orders#warmedUp} reports the end. */
    public void warmUp(Pool pool, int connections, long deadline, long at) {
        conditions.advance(at);
        pools.warmUp(pools.awake(pool), connections, deadline);
        settle.run();
    }

    /**
     * Gives no client a connection until {@link #resume}: requests wait in the queue, with its size and its timeout. A
     * client that has a connection keeps it until it releases it; {@link Orders#quiesced} reports when the last one has.
     * Meanwhile only probes of a server that is down are opened. The pause outlasts new settings; a removal ends it.
     */
    public void pause(long at) {
        conditions.advance(at);
        conditions.pause();
        settle.run();
    }

    /** Serves the waiting requests, the oldest first. */
    public void resume(long at) {
        conditions.advance(at);
        if (conditions.isPaused()) {
            conditions.resume();
            resumption.serve();
        }
        settle.run();
    }

    /** Replaces all connections: idle ones now, others when they are released. */
    public void reconnect(long at) {
        conditions.advance(at);
        conditions.reconnect();
        openings.closeIdle(CloseReason.RECONNECT);
        settle.run();
    }

    /** Removes a pool: its waiters are refused, its idle connections close now, others when they are released. */
    public void retire(Pool pool, long at) {
        conditions.advance(at);
        Pool known = pools.awake(pool);
        known.standing = Pool.Standing.RETIRED;
        dispatcher.retire(known);
        openings.retire(known);
        pools.retired(known);
        settle.run();
    }

    /**
     * Removes the bucket: waiters are refused, and a client that has a connection keeps it until it releases it. {@link
     * Orders#drained} reports the end.
     */
    public void remove(long at) {
        conditions.advance(at);
        conditions.remove();
        settle.run();
    }
}
