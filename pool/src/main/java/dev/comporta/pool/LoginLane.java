package dev.comporta.pool;

import dev.comporta.pool.list.Chain;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.slot.Slots;
import org.jspecify.annotations.Nullable;

/**
 * Logins whose credentials the server has not accepted yet, in order of arrival. Anyone who can connect may send any
 * number of them, and each wrong one costs a connect and perhaps another client's idle connection: so they do not wait in
 * the queue of requests. A few at a time move to the end of the queue; so requests are hardly delayed, and logins get
 * through however long the queue is.
 */
final class LoginLane {
    /**
     * While no slot is free, login checks may use one in this many of the bucket's connections: too few for requests to
     * notice.
     */
    private static final int SHARE = 8;
    /**
     * While slots are free and no request waits, login checks may use one in this many: after a restart all applications
     * log in at once.
     */
    private static final int MOST = 2;

    /**
     * The most logins that may wait here, whatever the queue's size: a fleet of applications that restarts sends hundreds
     * of logins, and each takes little memory, its client's connection and its LOGIN7.
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

    /** The first login that may move to the queue now; null for none. */
    @Nullable
    Waiter next() {
        Waiter w = mayAdmit() ? waiting.first() : null;
        while (w != null && w.pool != null && isHeldUp(w.pool)) {
            w = w.arrival.after();
        }
        return w;
    }

    /**
     * If no connection may be opened for its login, mostly because of the login's limit, one login check at a time waits
     * in the queue and is not counted in the lane's share. More than one would take the turns of that login's own
     * requests.
     */
    private boolean isHeldUp(Pool pool) {
        return pool.login.queuedLogins > 0 && !pool.mayOpen(conditions.now());
    }

    /** The first login that has timed out; null for none. */
    @Nullable
    Waiter expired() {
        return nextDeadline() <= conditions.now() ? waiting.first() : null;
    }

    long nextDeadline() {
        Waiter w = waiting.first();
        return w == null ? Long.MAX_VALUE : w.arrivedAt + conditions.tuning().queueTimeoutNanos;
    }
}
