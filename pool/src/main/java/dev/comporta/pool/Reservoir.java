package dev.comporta.pool;

import dev.comporta.pool.heap.MinHeap;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.SlotHold;
import org.jspecify.annotations.Nullable;

/**
 * The stock of ready connections. One stock for the bucket: one target, one limit, one connect rate. Each connection in
 * it belongs to a pool all the same, and the pools share the stock by how much each is asked for.
 */
final class Reservoir {
    private final Bucket bucket;
    private final Ledger ledger;
    private final Slots slots;

    /** Open connections by their next date: the time to be replaced, then the end of their use. */
    final MinHeap<ServerConnection> lifetimes = new MinHeap<>();

    private long decayAt;
    /** Idle connections that are kept as stock though idle for long are looked at again then. */
    private long reapAgainAt;

    Reservoir(Bucket bucket) {
        this.bucket = bucket;
        this.ledger = bucket.ledger;
        this.slots = bucket.slots;
        decayAt = bucket.now() + bucket.tuning.maxIdleNanos;
    }

    private int fresh() {
        return ledger.idle.size() - ledger.agingReady;
    }

    /** Connections the stock should have on their way, those under way included. */
    private int missing() {
        return bucket.health.isUp() ? Math.max(bucket.tuning.floor - fresh(), 0) : 0;
    }

    /** Connections to set out now. */
    int wants() {
        int missing = missing() - ledger.surplus;
        if (missing <= 0) {
            return warmUpWants();
        }
        ReservoirSettings settings = bucket.tuning.settings.reservoir();
        int atOnce = fresh() < settings.lowWatermark() ? settings.fastRefill() : settings.refill();
        return Math.max(warmUpWants(), Math.min(missing, atOnce - ledger.surplus));
    }

    private int warmUpWants() {
        int wants = 0;
        for (int i = 0; i < bucket.pools.warming.size(); i++) {
            wants += warmUpWants(bucket.pools.warming.get(i));
        }
        return bucket.health.isUp() ? wants : 0;
    }

    private int warmUpWants(Pool p) {
        return p.mayOpen(bucket.now()) ? Math.max(0, p.warmUpWanted - p.live - comingFor(p)) : 0;
    }

    /** Being checked is being live already: not to be counted twice. */
    private static int comingFor(Pool p) {
        return Math.max(0, p.coming - p.checking());
    }

    /** More on its way than the stock needs, after waiters left. */
    int tooMany() {
        if (!bucket.health.isUp() || !bucket.pools.warming.isEmpty()) {
            return 0;
        }
        return ledger.surplus - missing();
    }

    /** Sets out connections for the stock with what the waiters left. */
    void refill() {
        int wants = wants();
        while (wants > 0 && slots.free > 0) {
            Pool p = neediest();
            if (p == null) {
                return;
            }
            bucket.openings.start(p, SlotHold.OWNED, true);
            wants = wants();
        }
        int unasked = wants - Math.max(0, slots.asked + slots.inLine - ledger.hungryWaiters);
        if (unasked > 0) {
            askOrReplace(unasked);
        }
    }

    /** In a full bucket every event comes by here: who is neediest is only asked when it matters, there may be many pools. */
    private void askOrReplace(int unasked) {
        int n = bucket.now() < slots.stockRetryAt ? 0 : Math.min(unasked, slots.room());
        if (n <= 0) {
            replaceInPlace();
            return;
        }
        Pool p = neediest();
        if (p != null) {
            bucket.openings.want(p, n);
            slots.ask(n, LeasePort.Patience.AT_ONCE);
        }
    }

    /** No slot for a replacement: the old connection makes room for it while there is time, one after the other. */
    private void replaceInPlace() {
        ServerConnection c = ledger.agingReady > 0 && ledger.surplus == 0 ? ledger.idle.first() : null;
        while (c != null && !c.aging) {
            c = c.stageAfter;
        }
        if (c != null && mayReplace(c.pool) && bucket.openings.mayStartNow()) {
            bucket.openings.closeFor(c, c.pool, CloseReason.LIFETIME);
        }
    }

    /** The login's limit is no matter: one goes and one comes. */
    private boolean mayReplace(Pool p) {
        return p.standing == Pool.Standing.ACTIVE && bucket.now() >= p.loginRetryAt;
    }

    /** The pool whose demand is worst met by its stock: seats go to parties by the same rule (D'Hondt's). */
    @Nullable
    Pool neediest() {
        for (int i = 0; i < bucket.pools.warming.size(); i++) {
            if (warmUpWants(bucket.pools.warming.get(i)) > 0) {
                return bucket.pools.warming.get(i);
            }
        }
        Pool neediest = null;
        for (Pool p : bucket.pools.all()) {
            if (p.weight() > 0 && p.mayOpen(bucket.now()) && (neediest == null || isNeedier(p, neediest))) {
                neediest = p;
            }
        }
        return neediest;
    }

    private static boolean isNeedier(Pool a, Pool b) {
        return a.weight() * (1L + b.idle.size() + b.surplus) > b.weight() * (1L + a.idle.size() + a.surplus);
    }

    void reconfigure() {
        decayAt = Math.min(decayAt, bucket.now() + bucket.tuning.maxIdleNanos);
        reapAgainAt = 0;
    }

    /** A pool is asked for that was not, or no longer is: stock that was kept for want of a better use may have one now. */
    void demandChanged() {
        reapAgainAt = 0;
    }

    void born(ServerConnection c) {
        Tuning t = bucket.tuning;
        long now = bucket.now();
        if (c.hold == SlotHold.OVERFLOW) {
            c.aging = true;
            c.handoutUntil = now + t.overflowLifeNanos;
            lifetimes.put(c, c.handoutUntil);
            return;
        }
        long jitter = t.jitterNanos == 0 ? 0 : bucket.random.nextLong(t.jitterNanos + 1);
        c.handoutUntil = now + t.lifetimeNanos + jitter - t.guardNanos;
        lifetimes.put(c, c.handoutUntil - t.replaceAheadNanos);
    }

    void tick() {
        endLifetimes();
        reapIdle();
        if (bucket.now() >= decayAt) {
            decayAt = bucket.now() + bucket.tuning.maxIdleNanos;
            bucket.pools.forgetUnused();
            demandChanged();
        }
    }

    private void endLifetimes() {
        long now = bucket.now();
        ServerConnection c = lifetimes.peek();
        while (c != null && c.heapKey <= now) {
            if (now < c.handoutUntil) {
                c.aging = true;
                if (c.state == ConnectionState.READY) {
                    ledger.agingReady++;
                }
                lifetimes.put(c, c.handoutUntil);
            } else {
                lifetimes.remove(c);
                if (c.state == ConnectionState.READY) {
                    bucket.openings.close(c, CloseReason.LIFETIME);
                }
            }
            c = lifetimes.peek();
        }
    }

    private void reapIdle() {
        ServerConnection c = ledger.idle.first();
        while (c != null && c.idleSince + bucket.tuning.maxIdleNanos <= bucket.now()) {
            boolean kept = ledger.idle.size() <= bucket.tuning.floor;
            if (kept && bucket.now() < reapAgainAt) {
                return;
            }
            if (kept && !othersAreWanted(c.pool)) {
                reapAgainAt = bucket.now() + bucket.tuning.maxIdleNanos;
                return;
            }
            bucket.openings.close(c, CloseReason.IDLE);
            c = ledger.idle.first();
        }
    }

    /** Stock that nobody asks for gives way to stock that somebody does. */
    private boolean othersAreWanted(Pool unused) {
        if (unused.demand > 0) {
            return false;
        }
        Pool other = neediest();
        return other != null && other != unused;
    }

    long nextDeadline() {
        long next = Long.MAX_VALUE;
        ServerConnection c = lifetimes.peek();
        if (c != null) {
            next = c.heapKey;
        }
        ServerConnection idle = ledger.idle.first();
        if (idle != null) {
            boolean kept = ledger.idle.size() <= bucket.tuning.floor;
            long reap = idle.idleSince + bucket.tuning.maxIdleNanos;
            next = Math.min(next, kept ? Math.max(reap, reapAgainAt) : reap);
        }
        boolean unused = bucket.pools.all().isEmpty() || bucket.isRemoved();
        return unused ? next : Math.min(next, decayAt);
    }
}
