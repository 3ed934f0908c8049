package dev.comporta.bench.fleet;

import dev.comporta.lease.BucketLease;
import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseHost;
import dev.comporta.pool.Bucket;
import dev.comporta.pool.CloseReason;
import dev.comporta.pool.Orders;
import dev.comporta.pool.Refusal;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/** A real bucket of one instance, whose connections open and close at once. Confined to the instance's thread. */
final class BenchBucket implements Orders, LeaseHost {
    private final HandOvers handOvers;
    private final Executor loop;
    private final long origin = System.nanoTime();
    private final BucketLease lease;
    private final Bucket bucket;
    private final ArrayDeque<ServerConnection> attached = new ArrayDeque<>();

    volatile int inUse;
    volatile int inLine;

    BenchBucket(String id, BucketSettings settings, FleetLeases leases, HandOvers handOvers, Executor loop) {
        this.handOvers = handOvers;
        this.loop = loop;
        lease = leases.portFor(id, this);
        bucket = new Bucket(id, settings, this, lease, new SplittableRandom(1), SessionDistance.EQUAL_OR_NOT, 0);
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public long now() {
        return System.nanoTime() - origin;
    }

    @Override
    public void answered() {
        inLine = lease.view().waiting();
    }

    void tick() {
        lease.enforce();
        bucket.tick(now());
    }

    /** So many clients want a connection, and keep it. */
    void want(int clients) {
        for (int i = 0; i < clients; i++) {
            bucket.request(new Waiter("client"), bucket.pool("p", "login"), null, now());
        }
    }

    /** A connection ends under its client, and nobody here wants another: its slot is free for whoever waits elsewhere. */
    void loseOne() {
        ServerConnection lost = attached.remove();
        inUse = attached.size();
        handOvers.slotIsFree();
        bucket.closed(lost, now());
    }

    @Override
    public void attach(Waiter waiter, ServerConnection connection) {
        if (Objects.equals(waiter.connection(), connection)) {
            attached.add(connection);
            inUse = attached.size();
        }
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        throw new IllegalStateException("refused: " + why);
    }

    @Override
    public void open(ServerConnection connection) {
        handOvers.slotIsTaken();
        execute(() -> bucket.opened(connection, null, now()));
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
        execute(() -> bucket.closed(connection, now()));
    }

    @Override
    public void reset(ServerConnection connection) {
        bucket.resetDone(connection, true, now());
    }

    @Override
    public void validate(ServerConnection connection, HealthSettings.Check how) {
        bucket.validated(connection, true, now());
    }
}
