package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import dev.comporta.pool.ServerConnection;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.BucketSnapshot;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Serves threads that want a connection and find none parked. A request goes to the core, under the lock. If it is not
 * served at once, the thread takes a place in the queue, and parks. The core serves waiters in the order of their places;
 * the thread that returns a connection writes it to the waiter's seat, and wakes the waiter after it has released the lock.
 * So each connection is handed over once, and threads do not compete for it.
 *
 * <p>Where loans are shorter than a wake-up, a queue never gets shorter: each connection goes to a thread that has to be
 * woken for it, and the thread that returned it queues again at the end. So there, and only there, a thread yields the CPU
 * a few times, and looks for a parked connection, before it takes its place. While any thread is in the queue nothing is
 * parked, so it can't overtake; it only gives the queue time to empty.
 */
final class Waiting {
    /** 4, 16 and 64 did equally well with 32 threads on 4 connections; none at all was a hundred times slower. */
    private static final int MOST_LOOKS = 16;

    /** The time of a wake-up on a busy machine. The first look is made however long the yield took. */
    private static final long LOOKING_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Carrier carrier;
    private final WakingLock lock;
    private final Loans loans;
    private final Seats seats;
    private long timeouts;

    Waiting(Carrier carrier, Seats seats) {
        this.carrier = carrier;
        this.seats = seats;
        lock = carrier.lock();
        loans = carrier.loans();
    }

    /** @throws SQLException if there is none; its message says why, and what to do */
    @SuppressWarnings(
            "ThreadPriorityCheck") // a bounded number of yields, which change how fast it is, not whether it works
    Session acquire(Account account, long timeoutNanos) throws SQLException {
        long since = System.nanoTime();
        for (int looks = 0; ; looks++) {
            boolean mayLook = looks == 0 || (looks < MOST_LOOKS && System.nanoTime() - since < LOOKING_NANOS);
            Seat seat = mayLook && loans.mayComeBackSoon() ? null : request(account, mayLook);
            if (seat != null) {
                return served(account, seat, since, timeoutNanos);
            }
            Thread.yield();
            Session parked = loans.takeParked(account);
            if (parked != null) {
                return parked;
            }
        }
    }

    /** @return null if nothing was requested, because the caller should look for a parked connection once more */
    private @Nullable Seat request(Account account, boolean mayLook) {
        lock.enter();
        try {
            if (mayLook && loans.mayComeBackSoon()) {
                return null; // since this thread waited for the lock, others have taken all connections
            }
            Seat seat = seats.take();
            if (account.isRetired()) {
                seat.outcome = Refusal.REMOVED;
                return seat;
            }
            carrier.runner().request(seat.waiter, carrier.poolOf(account), null);
            if (seat.outcome == null) {
                seat.thread = Thread.currentThread();
                loans.beginWait();
            }
            return seat;
        } finally {
            lock.leave();
        }
    }

    private Session served(Account account, Seat seat, long since, long timeoutNanos) throws SQLException {
        Object outcome = await(seat, since, timeoutNanos);
        if (outcome instanceof ServerConnection c) {
            return SessionOrders.sessionOf(c);
        }
        if (outcome == WaitEnd.TIMEOUT) {
            account.timedOut();
        }
        BucketSnapshot now;
        int ofLogin;
        lock.enter();
        try {
            seats.free(seat);
            now = carrier.runner().snapshot();
            ofLogin =
                    carrier.runner().settings().logins().ruleOf(account.name()).limit();
        } finally {
            lock.leave();
        }
        throw Refusals.exception(carrier.name(), outcome, account, ofLogin, now, System.nanoTime() - since);
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
            carrier.runner().cancel(seat.waiter);
            Object outcome = seat.outcome; // it may have come at the last moment
            if (outcome != null) {
                return outcome;
            }
            loans.endWait();
            timeouts += why == WaitEnd.TIMEOUT ? 1 : 0;
            return why;
        } finally {
            lock.leave();
        }
    }

    /** Under the lock. */
    void answer(Seat seat, Object outcome) {
        seat.outcome = outcome;
        Thread thread = seat.thread;
        if (thread == null) {
            return;
        }
        seat.thread = null;
        loans.endWait();
        lock.wake(thread);
    }

    /** Under the lock: requests that left the queue because their wait timed out. */
    long timeouts() {
        return timeouts;
    }
}
