package dev.comporta.jdbc.carrier;

import dev.comporta.jdbc.session.Session;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections between two loans that the core has not been told of: for the core their client still has them. Whoever takes one
 * out of its spot by compare-and-set owns it. Any thread.
 */
final class Parking {
    /** More than the threads that run at the same time on most machines; on a miss all of them are looked at. */
    private static final int SPOTS = 32;
    /** References in a cache line, so that spots don't share one. */
    private static final int STRIDE = 16;

    private final AtomicReferenceArray<@Nullable Session> spots = new AtomicReferenceArray<>(SPOTS * STRIDE);

    /** Threads are numbered one after the other, so neighbours have spots of their own. */
    private static int ownSpot() {
        return (int) Thread.currentThread().threadId() & (SPOTS - 1);
    }

    /** A connection of this account; first the one that this thread parked. */
    @Nullable
    Session take(Account account) {
        int own = ownSpot();
        for (int i = 0; i < SPOTS; i++) {
            int spot = ((own + i) & (SPOTS - 1)) * STRIDE;
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
        return Carrier.connectionOf(session).pool().key() == account;
    }

    /** @return whether this thread's spot was free, and has it now */
    boolean park(Session session) {
        int spot = ownSpot() * STRIDE;
        return spots.get(spot) == null && spots.compareAndSet(spot, null, session);
    }

    /** @return whether it was still there: then it is the caller's again */
    boolean withdraw(Session session) {
        return spots.compareAndSet(ownSpot() * STRIDE, session, null);
    }

    void drain(Consumer<Session> to) {
        for (int i = 0; i < SPOTS; i++) {
            Session session = spots.get(i * STRIDE) == null ? null : spots.getAndSet(i * STRIDE, null);
            if (session != null) {
                to.accept(session);
            }
        }
    }
}
