package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections between two loans of which the core does not know: for the core their client still has them. The thread that
 * takes one out of its spot by compare-and-set owns it. Any thread may take and park; waits and the ends of periods are
 * announced under the carrier's lock.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock alone
final class Parking {
    /** More than the threads that run at the same time on most machines; on a miss all of them are searched. */
    private static final int SPOTS = 32;
    /** References in a cache line, so that spots don't share one. */
    private static final int STRIDE = 16;

    /** The mask for an index into the spots, whose number is a power of two. */
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

    /** Threads have consecutive numbers, so threads made together have different spots. */
    private int ownSpot() {
        return (int) Thread.currentThread().threadId() & mask;
    }

    /** Takes a connection of this account, unless a thread waits; first the one that this thread parked. */
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

    @SuppressWarnings("ReferenceEquality") // accounts are compared by identity
    private static boolean isOf(Account account, Session session) {
        return Loans.connectionOf(session).pool().key() == account;
    }

    /**
     * Parks a connection that came back clean, if no thread waits and its period has not ended.
     *
     * @return whether it is no longer the caller's
     */
    boolean park(Session session) {
        long since = session.period();
        int spot = ownSpot() * STRIDE;
        if (waiting > 0 || since != period || spots.get(spot) != null || !spots.compareAndSet(spot, null, session)) {
            return false;
        }
        // A thread that began to wait may have drained before this; so this checks again, and one sees the other.
        boolean stays = waiting == 0 && since == period;
        return stays || !spots.compareAndSet(spot, session, null);
    }

    // Under the carrier's lock.

    /** Stops parking. Connections that are parked already must be drained: one of them may serve the waiter. */
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
