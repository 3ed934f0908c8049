package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections between two loans that the core has not been told of: for the core their client still has them. The thread
 * that takes one out of its spot by compare-and-set owns it. Any thread may take and park; that a thread waits, or a period
 * ends, is announced under the carrier's lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock alone
final class Parking {
    /** More than the threads that run at the same time on most machines; on a miss all of them are looked at. */
    private static final int SPOTS = 32;
    /** References in a cache line, so that spots don't share one. */
    private static final int STRIDE = 16;

    /** Of the number of spots, which is a power of two. */
    private final int mask;

    private final AtomicReferenceArray<@Nullable Session> spots;

    private volatile long period;
    /** Threads in the queue. */
    private volatile int waiting;

    Parking() {
        this(SPOTS);
    }

    Parking(int spots) {
        if (Integer.bitCount(spots) != 1) {
            throw new IllegalArgumentException(spots + " is not a power of two");
        }
        mask = spots - 1;
        this.spots = new AtomicReferenceArray<>(spots * STRIDE);
    }

    /** Threads are numbered one after the other, so neighbours have spots of their own. */
    private int ownSpot() {
        return (int) Thread.currentThread().threadId() & mask;
    }

    /** A connection of this account, unless anybody waits; first the one that this thread parked. */
    @Nullable
    Session take(Account account) {
        if (waiting > 0) {
            return null;
        }
        int own = ownSpot();
        for (int i = 0; i <= mask; i++) {
            int spot = ((own + i) & mask) * STRIDE;
            Session session = spots.get(spot);
            if (session != null && isOf(account, session) && spots.compareAndSet(spot, session, null)) {
                account.lentAgain();
                return session;
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // accounts are told apart by identity
    private static boolean isOf(Account account, Session session) {
        return Loans.connectionOf(session).pool().key() == account;
    }

    /**
     * Parks a connection that came back clean, if nobody waits and its period is not over.
     *
     * @return whether it is no longer the caller's
     */
    boolean park(Session session) {
        long since = session.period();
        int spot = ownSpot() * STRIDE;
        if (waiting > 0 || since != period || spots.get(spot) != null || !spots.compareAndSet(spot, null, session)) {
            return false;
        }
        // A thread that began to wait may have looked too early; so this looks again, and one sees the other.
        boolean stays = waiting == 0 && since == period;
        return stays || !spots.compareAndSet(spot, session, null);
    }

    // Under the carrier's lock.

    /** From here on nothing is parked. What was parked before may be what the waiter needs: it is to be drained. */
    void beginWait() {
        waiting++;
    }

    void endWait() {
        waiting--;
    }

    long period() {
        return period;
    }

    void endPeriod() {
        period++;
    }

    void drain(Consumer<Session> to) {
        for (int i = 0; i <= mask; i++) {
            Session session = spots.get(i * STRIDE) == null ? null : spots.getAndSet(i * STRIDE, null);
            if (session != null) {
                to.accept(session);
            }
        }
    }
}
