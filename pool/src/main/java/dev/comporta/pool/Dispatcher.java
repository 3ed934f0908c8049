package dev.comporta.pool;

import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.health.Health;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.Counters;
import dev.comporta.pool.stats.Tallies;
import org.jspecify.annotations.Nullable;

/** Assigns connections to waiters, in the order in which the waiters arrived. */
final class Dispatcher {
    /** The step from one turn of a login of weight 1 to its next; divisible by most weights. */
    private static final long TURN = 5040L * 1000;

    private final Conditions conditions;
    private final Ledger ledger;
    private final Health health;
    private final PoolTable pools;
    private final Openings openings;
    private final Checks checks;
    private final LoginLane lane;
    private final OrderRing ring;
    private final Tallies tallies;
    private final SessionDistance distance;

    /** The largest order that was assigned, and the order of the waiter served last. */
    private long lastOrder;

    private long servedOrder;

    Dispatcher(
            Conditions conditions,
            Ledger ledger,
            Health health,
            PoolTable pools,
            Openings openings,
            Checks checks,
            LoginLane lane,
            OrderRing ring,
            Tallies tallies,
            SessionDistance distance) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.health = health;
        this.pools = pools;
        this.openings = openings;
        this.checks = checks;
        this.lane = lane;
        this.ring = ring;
        this.tallies = tallies;
        this.distance = distance;
    }

    void request(Waiter w, Pool pool) {
        w.pool = pool;
        w.arrivedAt = conditions.now();
        Refusal no = turnedAway(pool);
        if (no != null) {
            refuse(w, no);
            return;
        }
        if (!w.login) { // the reservoir does not stock for credentials that may be wrong
            pools.demanded(pool);
        }
        boolean held = conditions.isPaused();
        boolean isNext = !held && pool.waitlist.size() == 0 && (!w.login || pool.inLane == 0);
        if (isNext) {
            ServerConnection c = bestReady(w, pool);
            if (c != null && !isStale(c)) {
                pool.counters.attachedAtOnce++;
                attach(w, c);
                return;
            }
        }
        boolean refuses = !held && !health.isUp() && !conditions.tuning().waitsWhenDown;
        if (refuses && pool.idle.size() == 0 && pool.checking() <= pool.waitlist.size()) {
            refuse(w, Refusal.SERVER_UNAVAILABLE);
            return;
        }
        boolean full = w.login
                ? lane.size() >= LoginLane.MOST_WAITING
                : ledger.arrivals.size() - ledger.logins >= conditions.tuning().maxQueue;
        if (full) {
            refuse(w, Refusal.QUEUE_FULL);
            return;
        }
        pool.counters.queued++;
        if (w.login) {
            lane.add(w, pool);
        } else {
            enqueue(w, pool);
        }
    }

    private void enqueue(Waiter w, Pool pool) {
        w.order = nextOrder(pool.login);
        w.queuedAt = conditions.now();
        ledger.enqueue(w, pool);
        serveReady(pool);
    }

    /** A login moves from the lane to the queue. Its pool may have been rejected or removed since it arrived. */
    private void admitted(Waiter w, Pool pool) {
        Refusal no = turnedAway(pool);
        if (no != null) {
            tallies.waitInVain.record(conditions.now() - w.arrivedAt);
            refuse(w, no);
        } else {
            enqueue(w, pool);
        }
    }

    private @Nullable Refusal turnedAway(Pool pool) {
        if (conditions.isRemoved() || pool.standing == Pool.Standing.RETIRED) {
            return Refusal.REMOVED;
        }
        boolean held = conditions.isPaused();
        if (!held && conditions.now() < pool.loginRetryAt && pool.live == 0 && pool.coming == 0) {
            boolean refuses = !health.isUp() && !conditions.tuning().waitsWhenDown;
            return refuses ? Refusal.SERVER_UNAVAILABLE : pool.loginTrouble;
        }
        return null;
    }

    /**
     * The next waiter's order: by arrival or, with {@code fair_between_logins}, in turns. A login's next turn comes one
     * step after its last turn, or one step after the waiter being served if the login had none waiting; the larger its
     * weight, the shorter the step.
     */
    private long nextOrder(Login login) {
        long order = conditions.tuning().fair
                ? Math.max(servedOrder, login.lastOrder) + TURN / login.rule.weight()
                : lastOrder + TURN;
        login.lastOrder = order;
        lastOrder = Math.max(lastOrder, order);
        return order;
    }

    /** The best connection for this client; but one that needs no check is preferred to a better one that does. */
    private @Nullable ServerConnection bestReady(Waiter w, Pool pool) {
        ServerConnection c = pool.idle.best(w, pool, distance);
        while (c != null && conditions.now() >= c.life.handoutUntil) {
            openings.close(c, CloseReason.LIFETIME);
            c = pool.idle.best(w, pool, distance);
        }
        if (c != null && isStale(c)) {
            ServerConnection fresh = pool.idle.top();
            while (fresh != null && (isStale(fresh) || conditions.now() >= fresh.life.handoutUntil)) {
                fresh = fresh.inStack.before();
            }
            return fresh != null ? fresh : c;
        }
        return c;
    }

    private boolean isStale(ServerConnection c) {
        return conditions.now() - c.heardAt >= conditions.tuning().validateAfterNanos;
    }

    /** Serves waiters from ready connections that need a check first, and were skipped while another check was under way. */
    void serveAllReady() {
        for (Pool p : pools.all()) {
            serveReady(p);
        }
    }

    /** Gives a pool's ready connections to its waiters, after a check where one is due. */
    private void serveReady(Pool pool) {
        boolean served = !conditions.isPaused();
        while (served) {
            served = serveNext(pool);
        }
    }

    /**
     * Gives the pool's first waiter a ready connection, after a check where one is due.
     *
     * @return whether there was a waiter and a connection for it
     */
    boolean serveNext(Pool pool) {
        Waiter w = pool.waitlist.first();
        ServerConnection c = w == null ? null : bestReady(w, pool);
        if (w == null || c == null) {
            return false;
        }
        if (!isStale(c)) {
            attach(w, c);
            return true;
        }
        if (pool.waitlist.uncovered() > 0 || isUnserved(pool)) {
            checks.validate(c, Trial.Occasion.CLIENT);
            return true;
        }
        return false;
    }

    void attach(Waiter w, ServerConnection c) {
        Pool pool = c.pool;
        long waited = conditions.now() - w.arrivedAt;
        if (w.status == Waiter.Status.WAITING) {
            servedOrder = Math.max(servedOrder, w.order);
            pool.login.servedOrder = Math.max(pool.login.servedOrder, w.order);
            ledger.dequeue(w, pool);
        }
        if (w.login) {
            pools.demanded(pool);
        }
        Counters counters = pool.counters;
        counters.attached++;
        counters.waitNanos += waited;
        tallies.wait.record(waited);
        c.session.changedHands = c.lastWaiter != w;
        if (c.state != ConnectionState.READY) {
            ledger.move(c, ConnectionState.READY);
        }
        ledger.move(c, ConnectionState.ATTACHED);
        c.counts.uses++;
        c.attachedAt = conditions.now();
        c.waiter = w;
        c.belongTo(w);
        w.status = Waiter.Status.ATTACHED;
        w.connection = c;
        ring.attach(w, c);
    }

    private void leave(Waiter w, Pool pool) {
        if (w.inLane) {
            lane.leave(w, pool);
        } else {
            ledger.dequeue(w, pool);
        }
    }

    void cancel(Waiter w, Pool pool) {
        leave(w, pool);
        pool.counters.cancelled++;
        tallies.waitInVain.record(conditions.now() - w.arrivedAt);
    }

    void refuse(Waiter w, Refusal why) {
        Pool pool = w.pool;
        if (pool != null && w.status == Waiter.Status.WAITING) {
            leave(w, pool);
            tallies.waitInVain.record(conditions.now() - w.arrivedAt);
        }
        if (pool != null && why == Refusal.QUEUE_TIMEOUT) {
            pool.counters.timeouts++;
        }
        tallies.refused.add(why, 1);
        ring.refuse(w, why);
    }

    void refuseAll(Pool pool, Refusal why) {
        for (Waiter w = pool.waitlist.first(); w != null; w = pool.waitlist.first()) {
            refuse(w, why);
        }
    }

    void refuseAll(Refusal why) {
        refuseLogins(why);
        for (Waiter w = ledger.arrivals.first(); w != null; w = ledger.arrivals.first()) {
            refuse(w, why);
        }
    }

    private void refuseLogins(Refusal why) {
        for (Waiter w = lane.first(); w != null; w = lane.first()) {
            refuse(w, why);
        }
    }

    /** Refuses all requests that wait for this pool, those in the lane too: it takes no more. */
    void retire(Pool pool) {
        if (pool.inLane > 0) {
            for (Waiter w : lane.all()) {
                if (w.pool == pool) {
                    refuse(w, Refusal.REMOVED);
                }
            }
        }
        refuseAll(pool, Refusal.REMOVED);
    }

    /** While the server is down, nothing is opened: waiters that no open connection can serve are refused, the latest first. */
    void refuseUnserved() {
        refuseLogins(Refusal.SERVER_UNAVAILABLE);
        Waiter w = ledger.arrivals.last();
        while (w != null) {
            Waiter before = w.arrival.before();
            Pool pool = w.pool;
            if (pool != null && isUnserved(pool)) {
                refuse(w, Refusal.SERVER_UNAVAILABLE);
            }
            w = before;
        }
    }

    /**
     * Whether the server is down and the pool has more waiters than connections being checked. Connections being opened
     * do not count.
     */
    private boolean isUnserved(Pool pool) {
        return !health.isUp() && pool.waitlist.size() > pool.checking();
    }

    void expireWaiters() {
        Waiter w = ledger.arrivals.first();
        while (w != null && w.queuedAt + conditions.tuning().queueTimeoutNanos <= conditions.now()) {
            refuse(w, Refusal.QUEUE_TIMEOUT);
            w = ledger.arrivals.first();
        }
        w = lane.expired();
        while (w != null) {
            refuse(w, Refusal.QUEUE_TIMEOUT);
            w = lane.expired();
        }
    }

    /** Moves the logins whose turn it is from the lane to the queue. */
    void admitLogins() {
        for (Waiter w = lane.next(); w != null && w.pool != null; w = lane.next()) {
            Pool pool = w.pool;
            lane.leave(w, pool);
            admitted(w, pool);
        }
    }

    long nextDeadline() {
        Waiter w = ledger.arrivals.first();
        long next = w == null ? Long.MAX_VALUE : w.queuedAt + conditions.tuning().queueTimeoutNanos;
        return Math.min(next, lane.nextDeadline());
    }
}
