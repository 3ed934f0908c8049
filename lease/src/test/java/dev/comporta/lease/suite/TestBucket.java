package dev.comporta.lease.suite;

import dev.comporta.lease.BucketLease;
import dev.comporta.lease.FleetLeases;
import dev.comporta.pool.Orders;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/** A real bucket on an instance's thread, with connections that open and close at once. */
public final class TestBucket implements Orders {
    private final String id;
    private final Database database;
    private final long origin = System.nanoTime();
    private final BucketLease lease;
    private final BucketRunner bucket;
    private final ArrayDeque<Waiter> attached = new ArrayDeque<>();
    private int open;
    private boolean dead;

    public volatile int inUse;
    public volatile int served;
    public volatile int refused;

    public TestBucket(
            String id, BucketSettings settings, FleetLeases leases, Database database, ScheduledExecutorService loop) {
        this.id = id;
        this.database = database;
        bucket = new BucketRunner(
                id,
                settings,
                loop,
                () -> System.nanoTime() - origin,
                this,
                leases,
                new SplittableRandom(1),
                SessionDistance.EQUAL_OR_NOT);
        lease = leases.leaseOf(id);
    }

    public BucketLease lease() {
        return lease;
    }

    public BucketRunner bucket() {
        return bucket;
    }

    private void execute(Runnable task) {
        bucket.execute(task);
    }

    /** So many clients want a connection, and keep it until {@link #done}. */
    public void want(int clients) {
        execute(() -> {
            for (int i = 0; i < clients; i++) {
                bucket.request(new Waiter("client"), bucket.pool("p", "login"), null);
            }
        });
    }

    /** So many of those that have one are done with it. */
    public void done(int clients) {
        execute(() -> {
            for (int i = 0; i < clients && !attached.isEmpty(); i++) {
                Waiter w = attached.poll();
                if (w.connection() != null) {
                    bucket.release(w.connection(), null, true);
                }
                inUse = attached.size();
            }
        });
    }

    /** Whoever has a connection is done with it at once, from now on or not any more. */
    public volatile boolean busy = true;

    /** The database has not ended the sessions behind connections that are closed from now on. */
    public volatile boolean sessionsLinger;

    public void reconfigure(BucketSettings settings) {
        execute(() -> bucket.reconfigure(settings));
    }

    /** How many slots the fleet has wanted back so far. */
    public long demanded() {
        return CompletableFuture.supplyAsync(() -> bucket.snapshot().slots().totalDemanded(), bucket)
                .join();
    }

    /** Requests that have no connection yet. */
    public int waiting() {
        return CompletableFuture.supplyAsync(() -> bucket.snapshot().waiting(), bucket)
                .join();
    }

    public void remove() {
        execute(bucket::remove);
    }

    public void stop() {
        remove();
        done(Integer.MAX_VALUE);
    }

    /** The process is gone: the kernel closes its sockets. */
    public void die() {
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
        execute(() -> bucket.opened(connection, null));
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
        if (dead || sessionsLinger) {
            return;
        }
        open--;
        database.closed(id, 1);
        execute(() -> bucket.closed(connection));
    }

    @Override
    public void reset(ServerConnection connection) {
        bucket.resetDone(connection, true);
    }

    @Override
    public void validate(ServerConnection connection, HealthSettings.Check how) {
        bucket.validated(connection, true);
    }
}
