package dev.comporta.bench.fleet;

import dev.comporta.lease.FleetLeases;
import dev.comporta.lease.LeaseView;
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
import java.util.concurrent.ScheduledExecutorService;

/** A real bucket of one instance, whose connections open and close at once. Confined to the instance's thread. */
final class BenchBucket implements Orders {
    private final HandOvers handOvers;
    private final long origin = System.nanoTime();
    private final FleetLeases leases;
    private final BucketRunner bucket;
    private final String id;
    private final ArrayDeque<ServerConnection> attached = new ArrayDeque<>();

    volatile int inUse;

    BenchBucket(
            String id,
            BucketSettings settings,
            FleetLeases leases,
            HandOvers handOvers,
            ScheduledExecutorService loop) {
        this.handOvers = handOvers;
        this.leases = leases;
        this.id = id;
        bucket = new BucketRunner(
                id,
                settings,
                loop,
                () -> System.nanoTime() - origin,
                this,
                leases,
                new SplittableRandom(1),
                SessionDistance.EQUAL_OR_NOT);
    }

    int inLine() {
        return leases.views().stream()
                .filter(view -> view.bucket().equals(id))
                .mapToInt(LeaseView::waiting)
                .sum();
    }

    void execute(Runnable task) {
        bucket.execute(task);
    }

    /** This number of clients request a connection, and keep it. */
    void want(int clients) {
        for (int i = 0; i < clients; i++) {
            bucket.request(new Waiter("client"), bucket.pool("p", "login"), null);
        }
    }

    /** Loses a client's connection, and no client here needs another: its slot becomes free for waiters of other instances. */
    void loseOne() {
        ServerConnection lost = attached.remove();
        inUse = attached.size();
        handOvers.slotIsFree();
        bucket.closed(lost);
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
        execute(() -> bucket.opened(connection, null));
    }

    @Override
    public void close(ServerConnection connection, CloseReason why) {
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
