package dev.comporta.pool;

import dev.comporta.pool.list.Chain;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.slot.Slots;
import org.jspecify.annotations.Nullable;

/**
 * Logins that the server has to judge, in the order they came. Anyone who can dial may send them, in any number, and each
 * that is wrong costs a connect and perhaps another's idle connection: so they don't stand in the queue of those who are
 * logged in. A few at a time are let into it, behind all who wait there by then; so requests are hardly delayed, and logins
 * come through however long the queue is.
 */
final class LoginLane {
    /** Of the bucket's connections, one in so many may be wanted by logins while it is full: a share that requests don't miss. */
    private static final int SHARE = 8;
    /** Where slots are free and no request waits, half of the connections: a fleet that restarts logs in all at once. */
    private static final int MOST = 2;

    /**
     * As many may wait here, whatever the queue's size: a fleet of applications that restarts has hundreds of logins, and what
     * one of them holds, its client's connection and its LOGIN7, is small.
     */
    static final int MOST_WAITING = 1000;

    private final Conditions conditions;
    private final Ledger ledger;
    private final Slots slots;
    private final Chain<Waiter> waiting = new Chain<>();

    LoginLane(Conditions conditions, Ledger ledger, Slots slots) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.slots = slots;
    }

    int size() {
        return waiting.size();
    }

    @Nullable
    Waiter first() {
        return waiting.first();
    }

    void add(Waiter w, Pool pool) {
        w.status = Waiter.Status.WAITING;
        w.inLane = true;
        pool.inLane++;
        waiting.add(w.arrival);
    }

    void leave(Waiter w, Pool pool) {
        waiting.remove(w.arrival);
        pool.inLane--;
        w.inLane = false;
        w.status = Waiter.Status.IDLE;
    }

    private boolean mayAdmit() {
        if (waiting.size() == 0) {
            return false;
        }
        int limit = conditions.tuning().limit;
        int underWay = ledger.logins - ledger.loginsHeldUp;
        if (underWay < Math.max(1, limit / SHARE)) {
            return true;
        }
        boolean requestsWait = ledger.arrivals.size() > ledger.logins;
        int free = slots.room() + slots.free();
        return !requestsWait && underWay < limit / MOST && free > ledger.hungryWaiters;
    }

    /** The first that may be let into the queue now; null for none. */
    @Nullable
    Waiter next() {
        Waiter w = mayAdmit() ? waiting.first() : null;
        while (w != null && w.pool != null && isHeldUp(w.pool)) {
            w = w.arrival.after();
        }
        return w;
    }

    /**
     * Where no connection may be opened, for its login's limit mostly, one at a time has to wait in the queue for that to
     * change, which is counted for nothing. More would take the turns of that login's own requests.
     */
    private boolean isHeldUp(Pool pool) {
        return pool.login.queuedLogins > 0 && !pool.mayOpen(conditions.now());
    }

    /** The first whose time is over; null for none. */
    @Nullable
    Waiter expired() {
        return nextDeadline() <= conditions.now() ? waiting.first() : null;
    }

    long nextDeadline() {
        Waiter w = waiting.first();
        return w == null ? Long.MAX_VALUE : w.arrivedAt + conditions.tuning().queueTimeoutNanos;
    }
}
