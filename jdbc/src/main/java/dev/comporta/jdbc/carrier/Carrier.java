package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import dev.comporta.jdbc.session.SessionFigures;
import dev.comporta.pool.Pool;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.SessionDistance;
import dev.comporta.pool.Waiter;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bucket of the core that any thread may use. One lock stands for the bucket's thread. Whoever has it reports events; orders
 * that take time run on virtual threads and report their result under the lock again. Nobody blocks under the lock.
 *
 * <p>A thread that has to wait parks. The core decides who is served next, in order of arrival; the thread that brings the
 * connection writes it to the waiter's seat, and wakes the waiter after it has left the lock. So there is one hand-over, no
 * contest for it, and nothing spins.
 *
 * <p>While nobody waits, a connection that comes back clean is parked where the next loan finds it without the lock, and the
 * core is not told. That lasts for one period at most: when a period ends, parked connections are released to the core, and
 * those on loan are when they come back. So the core misses a connection's lifetime, or the operator's wish, by no more than a
 * period. Whoever has to wait ends the period for all that is parked; and as long as anybody waits, nothing is parked.
 */
public final class Carrier {
    private static final Logger log = LoggerFactory.getLogger(Carrier.class);

    /** The longest that the core accepts. Each caller has its own deadline, which is kept here. */
    private static final Duration NO_TIMEOUT = Duration.ofDays(365);

    /** Short against every time that can be set, long against a loan. */
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long NEVER_PARKED = -1;

    private final String name;
    private final WakingLock lock = new WakingLock();
    private final long origin = System.nanoTime();
    private final LeaseSource leases;
    private final LockedTimer timer;
    private final BucketRunner runner;
    private final SessionOrders orders;
    private final IdentityHashMap<Account, Pool> pools = new IdentityHashMap<>();

    private final Parking parking = new Parking();
    private final LongAdder usageNanos = new LongAdder();
    private boolean endsPeriod;

    private @Nullable Seat freeSeats;
    private long timeouts;
    private long parkedLoansOfRetired;
    private boolean removed;

    /**
     * @param name also the bucket's in the lease store: the instances of a fleet share a limit by this name
     * @param closeTimeout how long a connection may take to close before it is aborted
     */
    public Carrier(String name, BucketSettings settings, Duration closeTimeout, LeaseSource leases) {
        this.name = name;
        this.leases = leases;
        timer = new LockedTimer(name, lock);
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
     * A connection for this account, at once or within this time. In order of arrival; an interrupt ends the wait.
     *
     * @throws SQLException that says why there is none, and what to do
     */
    public Session acquire(Account account, long timeoutNanos) throws SQLException {
        Session parked = parking.take(account);
        Session session = parked == null ? request(account, timeoutNanos) : parked;
        session.lentAt(System.nanoTime());
        return session;
    }

    private Session request(Account account, long timeoutNanos) throws SQLException {
        Seat seat;
        Object outcome;
        lock.enter();
        try {
            seat = takeSeat();
            runner.request(seat.waiter, poolOf(account), null);
            if (seat.outcome == null) {
                seat.thread = Thread.currentThread();
                parking.beginWait();
                parking.drain(this::release);
            }
            outcome = seat.outcome;
        } finally {
            lock.leave();
        }
        if (outcome instanceof ServerConnection c) {
            return session(c);
        }
        return slowly(account, seat, timeoutNanos);
    }

    private Session slowly(Account account, Seat seat, long timeoutNanos) throws SQLException {
        long since = System.nanoTime();
        Object outcome = await(seat, since, timeoutNanos);
        if (outcome instanceof ServerConnection c) {
            return session(c);
        }
        if (outcome == WaitEnd.TIMEOUT) {
            account.timedOut();
        }
        lock.enter();
        BucketSnapshot now;
        int ofLogin;
        try {
            free(seat);
            now = runner.snapshot();
            ofLogin = runner.settings().logins().ruleOf(account.name()).limit();
        } finally {
            lock.leave();
        }
        throw Refusals.exception(name, outcome, account, ofLogin, now, System.nanoTime() - since);
    }

    private static Session session(ServerConnection c) {
        return SessionOrders.sessionOf(c);
    }

    /** @return the connection, the refusal, or why the wait has ended */
    private Object await(Seat seat, long since, long timeoutNanos) {
        Object outcome = seat.outcome;
        while (outcome == null) {
            long left = timeoutNanos - (System.nanoTime() - since);
            if (left <= 0) {
                return giveUp(seat, WaitEnd.TIMEOUT);
            }
            if (Thread.currentThread().isInterrupted()) {
                return giveUp(seat, WaitEnd.INTERRUPTED);
            }
            LockSupport.parkNanos(this, left);
            outcome = seat.outcome;
        }
        return outcome;
    }

    private Object giveUp(Seat seat, WaitEnd why) {
        lock.enter();
        try {
            runner.cancel(seat.waiter);
            Object outcome = seat.outcome; // it may have come at the last moment
            if (outcome != null) {
                return outcome;
            }
            parking.endWait();
            timeouts += why == WaitEnd.TIMEOUT ? 1 : 0;
            return why;
        } finally {
            lock.leave();
        }
    }

    private Seat takeSeat() {
        Seat seat = freeSeats;
        if (seat == null) {
            return new Seat();
        }
        freeSeats = seat.nextFree;
        seat.nextFree = null;
        return seat;
    }

    private void free(Seat seat) {
        seat.outcome = null;
        seat.thread = null;
        seat.nextFree = freeSeats;
        freeSeats = seat;
    }

    /**
     * Takes a connection back from its client. What it has left is put back by a virtual thread, before another client gets the
     * connection; a lost connection is closed.
     */
    public void giveBack(Session session) {
        usageNanos.add(System.nanoTime() - session.lentAt());
        if (!session.isLost() && !session.isDirty() && parking.park(session)) {
            return;
        }
        lock.enter();
        try {
            release(session);
        } finally {
            lock.leave();
        }
    }

    private void release(Session session) {
        ServerConnection c = connectionOf(session);
        Waiter waiter = c.waiter();
        if (session.isLost()) {
            runner.broken(c);
        } else if (session.isDirty()) {
            runner.releaseDirty(c);
        } else {
            runner.release(c, null, true);
        }
        if (waiter != null) {
            free(Seat.of(waiter));
        }
    }

    /** The core lends a connection: it may be parked until the period ends. */
    void lent(Session session) {
        boolean mayPark =
                leases.equals(LeaseSource.LOCAL) && !runner.isPaused() && !removed && parks(runner.settings());
        session.lentIn(mayPark ? parking.period() : NEVER_PARKED);
        if (mayPark && !endsPeriod) {
            endsPeriod = true;
            var _ = timer.schedule(this::endPeriod, PERIOD_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private static boolean parks(BucketSettings settings) {
        return !settings.resetOnRelease()
                && !settings.validation().onAcquire()
                && !settings.validation().onRelease();
    }

    private void endPeriod() {
        endsPeriod = false;
        parking.endPeriod();
        parking.drain(this::release);
    }

    static ServerConnection connectionOf(Session session) {
        if (session.place() instanceof ServerConnection c) {
            return c;
        }
        throw new IllegalStateException("not a session of a carrier");
    }

    // The operator.

    /** Opens this many connections before anybody asks; complete with how many there are when all are open or time is up. */
    public CompletableFuture<Integer> warmUp(Account account, int connections, Duration deadline) {
        CompletableFuture<Integer> ready = new CompletableFuture<>();
        lock.enter();
        try {
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

    /** Closes all connections, also those that clients have: what they do on them fails. */
    public void abortAll() {
        operate(() -> {
            runner.reconnect();
            runner.connections().forEach(orders::abort);
        });
    }

    /** The account's waiters are refused; its connections close now, or when they come back. */
    public void retire(Account account) {
        operate(() -> {
            Pool pool = pools.remove(account);
            if (pool != null) {
                runner.retire(pool);
                parkedLoansOfRetired += account.parkedLoans();
            }
        });
    }

    /**
     * Refuses who waits, closes what is idle, and waits this long for clients to give back the rest, which is then aborted. The
     * first call alone does anything.
     */
    public void close(Duration patience) {
        operate(() -> {
            if (!removed) {
                removed = true;
                runner.remove();
            }
        });
        if (!orders.awaitDrained(patience)) {
            operate(() -> runner.connections().forEach(orders::abort));
            orders.awaitDrained(patience);
        }
        leave(patience);
    }

    /** The lease store gives back the slots on the bucket's thread: the timer ends with that, however long it takes. */
    private void leave(Duration patience) {
        CompletableFuture<?> left = leases.left(name).whenComplete((_, _) -> timer.shutdown());
        try {
            left.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            log.debug("pool {}: its slots are not given back yet, they expire", name, e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    // What it is and does.

    public BucketSnapshot snapshot() {
        lock.enter();
        try {
            parking.drain(this::release);
            return runner.snapshot();
        } finally {
            lock.leave();
        }
    }

    /** What sessions count themselves, by their connection's number in the snapshot. */
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

    /** How long all loans together have lasted, those under way excepted. */
    public long usageNanos() {
        return usageNanos.sum();
    }

    /** Requests that left the queue because their caller's time was up. */
    public long timeouts() {
        lock.enter();
        try {
            return timeouts;
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

    LockedTimer timer() {
        return timer;
    }

    void answer(Seat seat, Object outcome) {
        seat.outcome = outcome;
        Thread thread = seat.thread;
        if (thread == null) {
            return;
        }
        seat.thread = null;
        parking.endWait();
        lock.wake(thread);
    }

    private Pool poolOf(Account account) {
        Pool pool = pools.get(account);
        if (pool == null) {
            pool = runner.pool(account, account.name());
            pools.put(account, pool);
        }
        return pool;
    }

    /** What the operator wants concerns all connections: those that are parked come back to the core first. */
    private void operate(Runnable event) {
        run(() -> {
            parking.endPeriod();
            event.run();
            parking.drain(this::release);
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
