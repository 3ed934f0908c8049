package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.session.SessionFigures;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bucket of the core that any thread may use. One lock takes the place of the bucket's thread. The thread that holds it
 * reports events; orders that take time run on virtual threads, which report their result under the lock again. No thread
 * blocks under the lock.
 *
 * <p>Clients are served by {@link Loans} without the lock while no thread waits, else by {@link Waiting}; the operator's
 * commands are here.
 */
public final class Carrier {
    private static final Logger log = LoggerFactory.getLogger(Carrier.class);

    /** The longest timeout that the core accepts. Each caller has its own deadline, which is enforced here. */
    private static final Duration NO_TIMEOUT = Duration.ofDays(365);

    private final String name;
    private final WakingLock lock = new WakingLock();
    private final long origin = System.nanoTime();
    private final LeaseSource leases;
    private final ScheduledExecutorService timer;
    private final BucketRunner runner;
    private final SessionOrders orders;
    private final IdentityHashMap<Account, Pool> pools = new IdentityHashMap<>();

    private final Loans loans;
    private final Waiting waiting;

    private long parkedLoansOfRetired;
    private boolean removed;

    /**
     * @param name the pool's name, and the bucket's in the lease store: the instances of a fleet share a limit by this name
     * @param closeTimeout how long a connection may take to close before it is aborted
     */
    public Carrier(String name, BucketSettings settings, Duration closeTimeout, LeaseSource leases) {
        this(name, settings, closeTimeout, leases, lock -> new LockedTimer(name, lock), new Parking());
    }

    /** @param timers makes the timer that runs tasks under this lock */
    Carrier(
            String name,
            BucketSettings settings,
            Duration closeTimeout,
            LeaseSource leases,
            Function<WakingLock, ScheduledExecutorService> timers,
            Parking parking) {
        this.name = name;
        this.leases = leases;
        timer = timers.apply(lock);
        orders = new SessionOrders(this, closeTimeout);
        lock.enter();
        try {
            runner = new BucketRunner(
                    name,
                    untimed(settings),
                    timer,
                    () -> System.nanoTime() - origin,
                    orders,
                    leases,
                    RandomGenerator.getDefault(),
                    SessionDistance.EQUAL_OR_NOT);
            Seats seats = new Seats();
            loans = new Loans(runner, timer, leases.equals(LeaseSource.LOCAL), seats, parking);
            waiting = new Waiting(this, seats);
        } finally {
            lock.leave();
        }
    }

    private static BucketSettings untimed(BucketSettings settings) {
        return settings.but()
                .queue(new QueueSettings(
                        NO_TIMEOUT, settings.queue().maxSize(), settings.queue().whenDown()))
                .build();
    }

    public String name() {
        return name;
    }

    // Clients.

    /**
     * Lends a connection of this account, at once or within this time. Requests are served in order of arrival; an
     * interrupt ends the wait.
     *
     * @throws SQLException if there is none; its message says why, and what to do
     */
    public Session acquire(Account account, long timeoutNanos) throws SQLException {
        Session parked = loans.takeParked(account);
        Session session = parked == null ? waiting.acquire(account, timeoutNanos) : parked;
        session.lentAt(System.nanoTime());
        return session;
    }

    /**
     * Takes a connection back from its client. A virtual thread resets what the client has changed, before another client
     * gets the connection; a lost connection is closed.
     */
    public void giveBack(Session session) {
        long heldNanos = System.nanoTime() - session.lentAt();
        if (loans.park(session, heldNanos)) {
            return;
        }
        lock.enter();
        try {
            loans.returned(session, heldNanos);
        } finally {
            lock.leave();
        }
    }

    // The operator.

    /** Opens this many connections ahead of need; completes with their number when all are open or the deadline has passed. */
    public CompletableFuture<Integer> warmUp(Account account, int connections, Duration deadline) {
        CompletableFuture<Integer> ready = new CompletableFuture<>();
        lock.enter();
        try {
            if (account.isRetired()) {
                ready.complete(0);
                return ready;
            }
            Pool pool = poolOf(account);
            orders.onWarmedUp(pool, ready);
            runner.warmUp(pool, connections, runner.now() + deadline.toNanos());
        } finally {
            lock.leave();
        }
        return ready;
    }

    public void reconfigure(BucketSettings settings) {
        operate(() -> runner.reconfigure(untimed(settings)));
    }

    /** No client is given a connection until {@link #resume}. */
    public void pause() {
        operate(runner::pause);
    }

    public void resume() {
        operate(runner::resume);
    }

    /** Replaces all connections: idle ones now, others when they come back. */
    public void reconnect() {
        operate(runner::reconnect);
    }

    /** Closes all connections, also those that clients have: their calls fail. */
    public void abortAll() {
        operate(() -> {
            runner.reconnect();
            runner.connections().forEach(orders::abort);
        });
    }

    /** The account's waiters are refused; its connections close now, or when they come back. */
    public void retire(Account account) {
        operate(() -> {
            account.retire(); // a later request would create its pool again
            Pool pool = pools.remove(account);
            if (pool != null) {
                runner.retire(pool);
                parkedLoansOfRetired += account.parkedLoans();
            }
        });
    }

    /**
     * Refuses waiting requests, closes idle connections, and waits this long for clients to return the others, which are
     * then aborted. Later calls do nothing.
     */
    public void close(Duration patience) {
        operate(() -> {
            if (!removed) {
                removed = true;
                loans.close();
                runner.remove();
            }
        });
        if (!orders.awaitDrained(patience)) {
            operate(() -> runner.connections().forEach(orders::abort));
            orders.awaitDrained(patience);
        }
        leave(patience);
    }

    /** The lease store gives back the slots on the bucket's thread: the timer ends only after that, however long it takes. */
    private void leave(Duration patience) {
        CompletableFuture<?> left = leases.left(name).whenComplete((_, _) -> timer.shutdown());
        try {
            left.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.debug("pool {}: could not return its slots to the store; they expire with their lease", name, e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    // State and statistics.

    public BucketSnapshot snapshot() {
        lock.enter();
        try {
            loans.drain();
            return runner.snapshot();
        } finally {
            lock.leave();
        }
    }

    /** The sessions' own counts, by their connection's number in the snapshot. */
    public Map<Long, SessionFigures> sessions() {
        Map<Long, SessionFigures> all = new HashMap<>();
        run(() -> {
            for (ServerConnection c : runner.connections()) {
                if (c.attachment() instanceof Session session) {
                    all.put(c.id(), session.figures());
                }
            }
        });
        return all;
    }

    /** Loans that the snapshot does not count: a parked connection was lent again without the core. */
    public long parkedLoans() {
        lock.enter();
        try {
            long sum = parkedLoansOfRetired;
            for (Account account : pools.keySet()) {
                sum += account.parkedLoans();
            }
            return sum;
        } finally {
            lock.leave();
        }
    }

    /** The total time of all loans that have ended. */
    public long usageNanos() {
        return loans.usageNanos();
    }

    /** Requests that left the queue because their wait timed out. */
    public long timeouts() {
        lock.enter();
        try {
            return waiting.timeouts();
        } finally {
            lock.leave();
        }
    }

    public boolean isUp() {
        lock.enter();
        try {
            return runner.health() == HealthState.UP;
        } finally {
            lock.leave();
        }
    }

    // For orders: under the lock.

    BucketRunner runner() {
        return runner;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    Loans loans() {
        return loans;
    }

    Waiting waiting() {
        return waiting;
    }

    WakingLock lock() {
        return lock;
    }

    Pool poolOf(Account account) {
        Pool pool = pools.get(account);
        if (pool == null) {
            pool = runner.pool(account, account.name());
            pools.put(account, pool);
        }
        return pool;
    }

    /** Runs a command of the operator. It concerns all connections, so those that are parked return to the core first. */
    private void operate(Runnable event) {
        run(() -> {
            loans.endPeriod();
            event.run();
            loans.drain();
            loans.limitMayHaveChanged();
        });
    }

    /** Runs an event under the lock. */
    void run(Runnable event) {
        lock.enter();
        try {
            event.run();
        } finally {
            lock.leave();
        }
    }
}
