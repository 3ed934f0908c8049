package dev.comporta.pool;

import dev.comporta.pool.list.Chain;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.slot.Slots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
     * notice. Of a fleet's limit, others have what this instance can't have, and logins of their own.
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
    /** In order of arrival, without those that are set aside. */
    private final Chain<Waiter> waiting = new Chain<>();
    /** The logins at their own limit whose waiters are set aside: so they are not looked at again with every event. */
    private final List<Login> setAside = new ArrayList<>();

    private int size;

    LoginLane(Conditions conditions, Ledger ledger, Slots slots) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.slots = slots;
    }

    int size() {
        return size;
    }

    /** How many are looked at, at most, to find out whether one may move to the queue. */
    int inLine() {
        return waiting.size();
    }

    /** The one that arrived first. */
    @Nullable
    Waiter first() {
        Waiter first = waiting.first();
        for (int i = 0; i < setAside.size(); i++) {
            first = earlier(setAside.get(i).setAside.first(), first);
        }
        return first;
    }

    private static @Nullable Waiter earlier(@Nullable Waiter one, @Nullable Waiter other) {
        return one == null || (other != null && other.arrivedAt < one.arrivedAt) ? other : one;
    }

    /** All waiters in the lane. A copy. */
    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>(size);
        for (Login login : setAside) {
            addAll(login.setAside, all);
        }
        addAll(waiting, all);
        all.sort(Comparator.comparingLong(w -> w.arrivedAt));
        return all;
    }

    private static void addAll(Chain<Waiter> chain, List<Waiter> all) {
        for (Waiter w = chain.first(); w != null; w = w.arrival.after()) {
            all.add(w);
        }
    }

    void add(Waiter w, Pool pool) {
        w.status = Waiter.Status.WAITING;
        w.inLane = true;
        pool.inLane++;
        size++;
        waiting.add(w.arrival);
    }

    void leave(Waiter w, Pool pool) {
        if (w.isSetAside) {
            w.isSetAside = false;
            pool.login.setAside.remove(w.arrival);
            if (pool.login.setAside.size() == 0) {
                setAside.remove(pool.login);
            }
        } else {
            waiting.remove(w.arrival);
        }
        size--;
        pool.inLane--;
        w.inLane = false;
        w.status = Waiter.Status.IDLE;
    }

    private boolean mayAdmit() {
        return size > 0 && ledger.logins - ledger.loginsHeldUp < share();
    }

    /** How many connections may be used for logins that the server has not accepted yet. */
    int share() {
        int more = slots.isShort() ? 0 : Math.max(0, slots.room());
        int connections = slots.held() + more;
        int few = Math.max(1, connections / SHARE);
        boolean requestsWait = ledger.arrivals.size() > ledger.logins;
        int free = more + slots.free();
        return !requestsWait && free > ledger.hungryWaiters ? Math.max(few, connections / MOST) : few;
    }

    /** The first login that may move to the queue now; null for none. */
    @Nullable
    Waiter next() {
        if (!mayAdmit()) {
            return null;
        }
        Waiter w = waiting.first();
        while (w != null && w.pool != null && isHeldUp(w.pool)) {
            Waiter after = w.arrival.after();
            if (isHeldUp(w.pool.login)) {
                setAside(w, w.pool.login);
            }
            w = after;
        }
        for (int i = 0; i < setAside.size(); i++) {
            Login login = setAside.get(i);
            if (!isHeldUp(login)) {
                w = earlier(firstNotHeldUp(login.setAside), w);
            }
        }
        return w;
    }

    private @Nullable Waiter firstNotHeldUp(Chain<Waiter> chain) {
        Waiter w = chain.first();
        while (w != null && w.pool != null && isHeldUp(w.pool)) {
            w = w.arrival.after();
        }
        return w;
    }

    /** Whether all pools of this login are held up. */
    private static boolean isHeldUp(Login login) {
        return login.queuedLogins > 0 && login.isAtLimit();
    }

    /** All waiters of this login are held up until one of its checks or connections ends. */
    private void setAside(Waiter w, Login login) {
        waiting.remove(w.arrival);
        w.isSetAside = true;
        if (login.setAside.size() == 0) {
            setAside.add(login);
        }
        login.setAside.add(w.arrival);
    }

    /**
     * Whether login checks of this pool are held up: if no connection may be opened for it, mostly because of its login's
     * limit, one check at a time waits in the queue and is not counted in the lane's share. More than one would take the
     * turns of that login's own requests.
     */
    private boolean isHeldUp(Pool pool) {
        return pool.login.queuedLogins > 0 && !pool.mayOpen(conditions.now());
    }

    /** The first login that has timed out; null for none. */
    @Nullable
    Waiter expired() {
        return nextDeadline() <= conditions.now() ? first() : null;
    }

    long nextDeadline() {
        Waiter w = first();
        return w == null ? Long.MAX_VALUE : w.arrivedAt + conditions.tuning().queueTimeoutNanos;
    }
}
