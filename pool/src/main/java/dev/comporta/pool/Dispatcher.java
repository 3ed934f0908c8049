package dev.comporta.pool;

import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.state.SlotHold;
import dev.comporta.pool.stats.Counters;
import org.jspecify.annotations.Nullable;

/** Brings waiters and connections together, in the order the waiters came. */
final class Dispatcher {
    /** Between two turns of a login of weight 1; divisible by most weights. */
    private static final long TURN = 5040L * 1000;

    private final Bucket bucket;
    private final Ledger ledger;
    private final Slots slots;
    private final Openings openings;

    /** The largest order given, and that of the waiter served last. */
    private long lastOrder;

    private long servedOrder;

    Dispatcher(Bucket bucket) {
        this.bucket = bucket;
        this.ledger = bucket.ledger;
        this.slots = bucket.slots;
        this.openings = bucket.openings;
    }

    void request(Waiter w, Pool pool) {
        w.pool = pool;
        w.arrivedAt = bucket.now();
        Refusal no = turnedAway(pool);
        if (no != null) {
            refuse(w, no);
            return;
        }
        if (!w.login) { // one that may be wrong is not stocked for
            demanded(pool);
        }
        boolean isNext = pool.waitlist.size() == 0 && (!w.login || pool.inLane == 0);
        if (isNext) {
            ServerConnection c = bestReady(w, pool);
            if (c != null && !isStale(c)) {
                pool.counters.attachedAtOnce++;
                attach(w, c);
                return;
            }
        }
        if (!bucket.health.isUp() && pool.idle.size() == 0 && pool.checking() <= pool.waitlist.size()) {
            refuse(w, Refusal.SERVER_UNAVAILABLE);
            return;
        }
        boolean full = w.login
                ? bucket.lane.size() >= LoginLane.MOST_WAITING
                : ledger.arrivals.size() - ledger.logins >= bucket.tuning.maxQueue;
        if (full) {
            refuse(w, Refusal.QUEUE_FULL);
            return;
        }
        pool.counters.queued++;
        if (w.login) {
            bucket.lane.add(w, pool);
        } else {
            enqueue(w, pool);
        }
    }

    private void demanded(Pool pool) {
        if (pool.demand++ == 0) {
            bucket.reservoir.demandChanged();
        }
    }

    private void enqueue(Waiter w, Pool pool) {
        w.order = nextOrder(pool.login);
        w.queuedAt = bucket.now();
        ledger.enqueue(w, pool);
        serveReady(pool);
    }

    /** A login leaves its lane for the queue; what is known of its pool may have changed since it came. */
    void admitted(Waiter w, Pool pool) {
        Refusal no = turnedAway(pool);
        if (no != null) {
            bucket.tallies.waitInVain.record(bucket.now() - w.arrivedAt);
            refuse(w, no);
        } else {
            enqueue(w, pool);
        }
    }

    private @Nullable Refusal turnedAway(Pool pool) {
        if (bucket.isRemoved() || pool.standing == Pool.Standing.RETIRED) {
            return Refusal.REMOVED;
        }
        if (bucket.now() < pool.loginRetryAt && pool.live == 0 && pool.coming == 0) {
            return bucket.health.isUp() ? pool.loginTrouble : Refusal.SERVER_UNAVAILABLE;
        }
        return null;
    }

    /**
     * By arrival, each after all before it. When the logins share fairly, by turns: a login's next turn comes one step
     * after its last, or after the one being served if it had none lately; the heavier, the shorter the step.
     */
    private long nextOrder(Login login) {
        long order = bucket.tuning.fair
                ? Math.max(servedOrder, login.lastOrder) + TURN / login.rule.weight()
                : lastOrder + TURN;
        login.lastOrder = order;
        lastOrder = Math.max(lastOrder, order);
        return order;
    }

    /** The best for this client; but rather any that can be had at once than one that has to be checked first. */
    private @Nullable ServerConnection bestReady(Waiter w, Pool pool) {
        ServerConnection c = pool.idle.best(w, pool, bucket.distance);
        while (c != null && bucket.now() >= c.handoutUntil) {
            openings.close(c, CloseReason.LIFETIME);
            c = pool.idle.best(w, pool, bucket.distance);
        }
        if (c != null && isStale(c)) {
            ServerConnection fresh = pool.idle.top();
            while (fresh != null && (isStale(fresh) || bucket.now() >= fresh.handoutUntil)) {
                fresh = fresh.idleBelow;
            }
            return fresh != null ? fresh : c;
        }
        return c;
    }

    private boolean isStale(ServerConnection c) {
        return bucket.now() - c.heardAt >= bucket.tuning.validateAfterNanos;
    }

    /** Connections that lay ready because they had to be checked first, and someone else's check was under way. */
    void serveAllReady() {
        for (Pool p : bucket.pools.all()) {
            serveReady(p);
        }
    }

    /** Gives a pool's ready connections to its waiters, after a check where one is due. */
    private void serveReady(Pool pool) {
        Waiter w = pool.waitlist.first();
        while (w != null) {
            ServerConnection c = bestReady(w, pool);
            if (c == null) {
                return;
            }
            if (!isStale(c)) {
                attach(w, c);
            } else if (pool.waitlist.uncovered() > 0 || isUnserved(pool)) {
                bucket.checks.validate(c, false);
            } else {
                return;
            }
            w = pool.waitlist.first();
        }
    }

    private void attach(Waiter w, ServerConnection c) {
        Pool pool = c.pool;
        long waited = bucket.now() - w.arrivedAt;
        if (w.status == Waiter.Status.WAITING) {
            servedOrder = Math.max(servedOrder, w.order);
            pool.login.servedOrder = Math.max(pool.login.servedOrder, w.order);
            ledger.dequeue(w, pool);
        }
        if (w.login) {
            demanded(pool);
        }
        Counters counters = pool.counters;
        counters.attached++;
        counters.waitNanos += waited;
        bucket.tallies.wait.record(waited);
        if (c.lastWaiter == w) {
            counters.attachedToOwn++;
            c.changedHands = false;
        } else {
            c.changedHands = true;
            if (IdleStack.apart(w, c, bucket.distance) == 0) {
                counters.attachedInState++;
            }
        }
        if (c.state != ConnectionState.READY) {
            ledger.move(c, ConnectionState.READY);
        }
        ledger.move(c, ConnectionState.ATTACHED);
        c.uses++;
        c.attachedAt = bucket.now();
        c.waiter = w;
        c.belongTo(w);
        w.status = Waiter.Status.ATTACHED;
        w.connection = c;
        bucket.ring.attach(w, c);
    }

    private void leave(Waiter w, Pool pool) {
        if (w.inLane) {
            bucket.lane.leave(w, pool);
        } else {
            ledger.dequeue(w, pool);
        }
    }

    void cancel(Waiter w, Pool pool) {
        leave(w, pool);
        pool.counters.cancelled++;
        bucket.tallies.waitInVain.record(bucket.now() - w.arrivedAt);
    }

    void refuse(Waiter w, Refusal why) {
        Pool pool = w.pool;
        if (pool != null && w.status == Waiter.Status.WAITING) {
            leave(w, pool);
            bucket.tallies.waitInVain.record(bucket.now() - w.arrivedAt);
        }
        if (pool != null && why == Refusal.QUEUE_TIMEOUT) {
            pool.counters.timeouts++;
        }
        bucket.tallies.refused.add(why, 1);
        bucket.ring.refuse(w, why);
    }

    void refuseAll(Pool pool, Refusal why) {
        Waiter w = pool.waitlist.first();
        while (w != null) {
            refuse(w, why);
            w = pool.waitlist.first();
        }
    }

    void refuseAll(Refusal why) {
        Waiter w = ledger.arrivals.first();
        while (w != null) {
            refuse(w, why);
            w = ledger.arrivals.first();
        }
    }

    /** While the server is down nothing new is opened: who can't be served by an open connection is refused, the last first. */
    void refuseUnserved() {
        Waiter w = ledger.arrivals.last();
        while (w != null) {
            Waiter before = w.arrivalBefore;
            Pool pool = w.pool;
            if (pool != null && isUnserved(pool)) {
                refuse(w, Refusal.SERVER_UNAVAILABLE);
            }
            w = before;
        }
    }

    /** Whether the server is down and more wait than open connections are on their way: what is being opened is not relied on. */
    private boolean isUnserved(Pool pool) {
        return !bucket.health.isUp() && pool.waitlist.size() > pool.checking();
    }

    void expireWaiters() {
        Waiter w = ledger.arrivals.first();
        while (w != null && w.queuedAt + bucket.tuning.queueTimeoutNanos <= bucket.now()) {
            refuse(w, Refusal.QUEUE_TIMEOUT);
            w = ledger.arrivals.first();
        }
        bucket.lane.expire();
    }

    /** A connection that is whole and nobody's finds its next use: a waiter, the stock, or its end. */
    void place(ServerConnection c) {
        Waiter w = c.pool.waitlist.first();
        CloseReason end = endOf(c, w);
        if (end != null) {
            openings.close(c, end);
            return;
        }
        if (w == null) {
            rest(c);
            return;
        }
        Pool elder = elderThan(w, c);
        // Whom the lease store still owes an answer is not in need yet.
        boolean inNeed = elder != null && (ledger.blockedWaiters > 0 || ledger.hungryWaiters > slots.asked);
        if (elder != null && inNeed && openings.mayStartNow()) {
            openings.closeFor(c, elder, CloseReason.SLOT_NEEDED);
        } else {
            attach(w, c);
        }
    }

    private void rest(ServerConnection c) {
        if (bucket.checks.mustReset(c)) {
            bucket.checks.reset(c);
        } else {
            ledger.move(c, ConnectionState.READY);
        }
    }

    private @Nullable CloseReason endOf(ServerConnection c, @Nullable Waiter next) {
        if (bucket.isRemoved() || c.pool.standing == Pool.Standing.RETIRED) {
            return CloseReason.REMOVED;
        }
        if (c.generation != bucket.generation) {
            return CloseReason.RECONNECT;
        }
        if (bucket.now() >= c.handoutUntil) {
            return c.hold == SlotHold.OVERFLOW ? CloseReason.OVERFLOW : CloseReason.LIFETIME;
        }
        if (slots.takeForRevocation(c)) {
            return CloseReason.REVOKED;
        }
        if (slots.takeForLimit(c)) {
            return CloseReason.LIMIT_LOWERED;
        }
        if (c.pool.login.isOverLimit()) {
            ledger.leaveLogin(c);
            return CloseReason.LIMIT_LOWERED;
        }
        // A connection just opened for a waiter serves it once before the fleet gets its slot.
        if ((c.uses > 0 || next == null) && slots.takeForDemand(c)) {
            return CloseReason.DEMANDED;
        }
        if (c.hold == SlotHold.OVERFLOW && next == null) {
            return CloseReason.OVERFLOW;
        }
        return null;
    }

    /** The pool of a waiter that comes before this one, has no connection on its way, and could use this one's slot. */
    private @Nullable Pool elderThan(Waiter w, ServerConnection c) {
        Pool elder = ledger.hungry.peek();
        long before = w.order;
        if (elder != null && elder.heapKey < before) {
            before = elder.heapKey;
        } else {
            elder = null;
        }
        Login login = c.pool.login;
        if (login.isAtLimit()) {
            Pool sibling = oldestBlocked(login);
            Waiter blocked = sibling == null ? null : sibling.waitlist.firstUncovered();
            if (blocked != null && blocked.order < before) {
                return sibling;
            }
        }
        return elder;
    }

    /** The pool of a login at its limit whose waiter comes first. */
    @Nullable
    Pool oldestBlocked(Login login) {
        Pool oldest = null;
        long order = Long.MAX_VALUE;
        for (int i = 0; i < login.pools.size(); i++) {
            Pool p = login.pools.get(i);
            Waiter w = p.waitlist.firstUncovered();
            boolean byLimitAlone = p.standing == Pool.Standing.ACTIVE && bucket.now() >= p.loginRetryAt;
            if (w != null && byLimitAlone && w.order < order) {
                order = w.order;
                oldest = p;
            }
        }
        return oldest;
    }
}
