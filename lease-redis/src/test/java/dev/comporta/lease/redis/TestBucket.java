package dev.comporta.lease.redis;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A real bucket on an instance's thread, with connections that open and close at once. */
final class TestBucket implements Orders, LeaseHost {
    private final String id;
    private final Database database;
    private final Executor loop;
    private final long origin = System.nanoTime();
    private final BucketLease lease;
    private final Bucket bucket;
    private final ArrayDeque<Waiter> attached = new ArrayDeque<>();
    private int open;
    private boolean dead;

    volatile int inUse;
    volatile int served;
    volatile int refused;

    TestBucket(String id, BucketSettings settings, FleetLeases leases, Database database, Executor loop) {
        this.id = id;
        this.database = database;
        this.loop = loop;
        lease = leases.portFor(id, this);
        bucket = new Bucket(id, settings, this, lease, new SplittableRandom(1), SessionDistance.EQUAL_OR_NOT, 0);
    }

    BucketLease lease() {
        return lease;
    }

    Bucket bucket() {
        return bucket;
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
    public void answered() {}

    void tick() {
        lease.enforce();
        bucket.tick(now());
    }

    /** So many clients want a connection, and keep it until {@link #done}. */
    void want(int clients) {
        execute(() -> {
            for (int i = 0; i < clients; i++) {
                lease.enforce();
                bucket.request(new Waiter("client"), bucket.pool("p", "login"), null, now());
            }
        });
    }

    /** So many of those that have one are done with it. */
    void done(int clients) {
        execute(() -> {
            for (int i = 0; i < clients && !attached.isEmpty(); i++) {
                Waiter w = attached.poll();
                lease.enforce();
                if (w.connection() != null) {
                    bucket.release(w.connection(), null, now());
                }
                inUse = attached.size();
            }
        });
    }

    /** Whoever has a connection is done with it at once, from now on or not any more. */
    volatile boolean busy = true;

    void reconfigure(BucketSettings settings) {
        execute(() -> bucket.reconfigure(settings, now()));
    }

    /** How many slots the fleet has wanted back so far. */
    long demanded() {
        return CompletableFuture.supplyAsync(() -> bucket.snapshot().slots().totalDemanded(), this)
                .join();
    }

    void remove() {
        execute(() -> bucket.remove(now()));
    }

    /** The process is gone: the kernel closes its sockets. */
    void die() {
        dead = true;
        database.closed(id, open);
        open = 0;
    }

    @Override
    public void attach(Waiter waiter, ServerConnection connection) {
        if (dead || !Objects.equals(waiter.connection(), connection)) {
            return;
        }
        attached.add(waiter);
        inUse = attached.size();
        served++;
        if (!busy) {
            done(1);
        }
    }

    @Override
    public void refuse(Waiter waiter, Refusal why) {
        refused++;
    }

    @Override
    public void open(ServerConnection connection) {
        if (dead) {
            return;
        }
        open++;
        database.opened(id);
        execute(() -> {
            lease.enforce();
            bucket.opened(connection, null, now());
        });
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
        if (dead) {
            return;
        }
        open--;
        database.closed(id, 1);
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
