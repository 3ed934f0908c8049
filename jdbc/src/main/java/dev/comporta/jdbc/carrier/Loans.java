package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.Waiter;
import dev.comporta.pool.run.BucketRunner;
import dev.comporta.pool.settings.BucketSettings;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends loans, with the core or without it. A connection that comes back clean while no thread waits is parked,
 * and lent again from there without the core. That goes on for one period at most: when a period ends, parked connections
 * are released to the core, and those on loan as soon as they are returned. So the core applies a connection's lifetime, or
 * a command of the operator, at most one period late.
 *
 * <p>Guarded by the carrier's lock, except where stated.
 */
final class Loans {
    /** Short compared with every time that can be set, long compared with a loan. */
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long NEVER_PARKED = -1;

    private final BucketRunner runner;
    private final ScheduledExecutorService timer;
    private final boolean local;
    private final Seats seats;
    private final Parking parking;
    private final LoanPace pace = new LoanPace();
    private final LongAdder usageNanos = new LongAdder();
    private final Consumer<Session> releasing = this::release;
    private int lent;
    private boolean endsPeriod;
    private boolean closing;
    /** Every connection of the limit is on loan or parked: the core has nothing to give and nothing to open. */
    private volatile boolean exhausted;

    /** @param local whether no fleet shares the limit. In a fleet nothing is parked: each loan must check the lease first */
    Loans(BucketRunner runner, ScheduledExecutorService timer, boolean local, Seats seats, Parking parking) {
        this.parking = parking;
        this.runner = runner;
        this.timer = timer;
        this.local = local;
        this.seats = seats;
    }

    // Any thread, without the lock.

    /** Takes a parked connection, unless a thread waits. */
    @Nullable
    Session takeParked(Account account) {
        return parking.take(account);
    }

    /** Whether a connection is likely to be parked within the next microseconds, and there is no other way to get one. */
    boolean mayComeBackSoon() {
        return exhausted && pace.isShort();
    }

    /** @return whether it is parked; otherwise it must be released */
    boolean park(Session session, long heldNanos) {
        usageNanos.add(heldNanos);
        return !session.isLost() && !session.isDirty() && parking.park(session);
    }

    /** How long all loans together have lasted, those under way excepted. */
    long usageNanos() {
        return usageNanos.sum();
    }

    // Under the lock.

    /** A client has returned a connection that can't be parked. */
    void returned(Session session, long heldNanos) {
        pace.ended(heldNanos);
        release(session);
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
            seats.free(Seat.of(waiter));
            ended();
        }
    }

    /** A loan has ended, for the core too. If the core has lent the connection again already, the count is as before. */
    void ended() {
        lent--;
        limitMayHaveChanged();
    }

    void limitMayHaveChanged() {
        exhausted = mayPark() && lent >= runner.settings().maxConnections();
    }

    /** The core lends a connection: it may be parked until the period ends. */
    void lent(Session session) {
        boolean mayPark = mayPark();
        lent++;
        limitMayHaveChanged();
        session.lentIn(mayPark ? parking.period() : NEVER_PARKED);
        if (mayPark && !endsPeriod) {
            endsPeriod = true;
            var _ = timer.schedule(this::endPeriodInTime, PERIOD_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private boolean mayPark() {
        BucketSettings settings = runner.settings();
        return local
                && !closing
                && !runner.isPaused()
                && !settings.resetOnRelease()
                && !settings.validation().onAcquire()
                && !settings.validation().onRelease();
    }

    private void endPeriodInTime() {
        endsPeriod = false;
        endPeriod();
        drain();
    }

    /** From now on, connections on loan return to the core. */
    void endPeriod() {
        parking.endPeriod();
    }

    /** From now on nothing is parked. */
    void close() {
        closing = true;
        exhausted = false;
    }

    /** Releases all parked connections to the core. */
    void drain() {
        parking.drain(releasing);
    }

    /** Stops parking, and releases parked connections to the core: one of them may serve the waiter. */
    void beginWait() {
        parking.beginWait();
        drain();
    }

    void endWait() {
        parking.endWait();
    }

    static ServerConnection connectionOf(Session session) {
        if (session.place() instanceof ServerConnection c) {
            return c;
        }
        throw new IllegalStateException("not a session of a carrier");
    }
}
