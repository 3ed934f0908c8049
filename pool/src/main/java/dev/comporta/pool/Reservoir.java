package dev.comporta.pool;

import dev.comporta.pool.connection.Lifetime;
import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.health.Health;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.ReservoirSettings;
import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.slot.Slots;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.SlotHold;
import org.jspecify.annotations.Nullable;

/**
 * The stock of ready connections. One stock for the bucket: one target, one limit, one connect rate. Each connection in
 * it belongs to a pool all the same, and the pools share the stock by how much each is asked for.
 */
final class Reservoir {
    private final Conditions conditions;
    private final Ledger ledger;
    private final Slots slots;
    private final Health health;
    private final PoolTable pools;
    private final Openings openings;

    private long decayAt;
    /** Idle connections that are kept as stock though idle for long are looked at again then, */
    private long reapAgainAt;
    /** or when other pools are asked for than when they were looked at last. */
    private long reapedAtChange;

    Reservoir(Conditions conditions, Ledger ledger, Slots slots, Health health, PoolTable pools, Openings openings) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.slots = slots;
        this.health = health;
        this.pools = pools;
        this.openings = openings;
        decayAt = conditions.now() + conditions.tuning().maxIdleNanos;
    }

    private int fresh() {
        return ledger.idle.size() - ledger.agingReady;
    }

    /** Connections the stock should have on their way, those under way included. */
    private int missing() {
        return health.isUp() ? Math.max(conditions.tuning().floor - fresh(), 0) : 0;
    }

    /** Connections to set out now. */
    int wants() {
        int missing = missing() - ledger.surplus;
        if (missing <= 0) {
            return warmUpWants();
        }
        ReservoirSettings settings = conditions.tuning().settings.reservoir();
        int atOnce = fresh() < settings.lowWatermark() ? settings.fastRefill() : settings.refill();
        return Math.max(warmUpWants(), Math.min(missing, atOnce - ledger.surplus));
    }

    private int warmUpWants() {
        int wants = 0;
        for (int i = 0; i < pools.warming.size(); i++) {
            wants += warmUpWants(pools.warming.get(i));
        }
        return health.isUp() ? wants : 0;
    }

    private int warmUpWants(Pool p) {
        return p.mayOpen(conditions.now()) ? Math.max(0, p.warmUpWanted - p.live - comingFor(p)) : 0;
    }

    /** Being checked is being live already: not to be counted twice. */
    private static int comingFor(Pool p) {
        return Math.max(0, p.coming - p.checking());
    }

    /** More on its way than the stock needs, after waiters left. */
    int tooMany() {
        if (!health.isUp() || !pools.warming.isEmpty()) {
            return 0;
        }
        return ledger.surplus - missing();
    }

    /** Sets out connections for the stock with what the waiters left. */
    void refill() {
        int wants = wants();
        while (wants > 0 && slots.free() > 0) {
            Pool p = neediest();
            if (p == null) {
                return;
            }
            openings.start(p, SlotHold.OWNED, Trial.Occasion.POOL);
            wants = wants();
        }
        int unasked = wants - Math.max(0, slots.asked() + slots.inLine() - ledger.hungryWaiters);
        if (unasked > 0) {
            askOrReplace(unasked);
        }
    }

    /** In a full bucket every event comes by here: who is neediest is only asked when it matters, there may be many pools. */
    private void askOrReplace(int unasked) {
        int n = conditions.now() < slots.stockRetryAt() ? 0 : Math.min(unasked, slots.room());
        if (n <= 0) {
            replaceInPlace();
            return;
        }
        Pool p = neediest();
        if (p != null) {
            openings.want(p, n);
            slots.ask(n, LeasePort.Patience.AT_ONCE);
        }
    }

    /** No slot for a replacement: the old connection makes room for it while there is time, one after the other. */
    private void replaceInPlace() {
        ServerConnection c = ledger.agingReady > 0 && ledger.surplus == 0 ? ledger.idle.first() : null;
        while (c != null && !c.life.isAging()) {
            c = c.inStage.after();
        }
        if (c != null && mayReplace(c.pool) && openings.mayStartNow()) {
            openings.closeFor(c, c.pool, CloseReason.LIFETIME);
        }
    }

    /** The login's limit is no matter: one goes and one comes. */
    private boolean mayReplace(Pool p) {
        return p.standing == Pool.Standing.ACTIVE && conditions.now() >= p.loginRetryAt;
    }

    /** The pool whose demand is worst met by its stock: seats go to parties by the same rule (D'Hondt's). */
    @Nullable
    Pool neediest() {
        for (int i = 0; i < pools.warming.size(); i++) {
            if (warmUpWants(pools.warming.get(i)) > 0) {
                return pools.warming.get(i);
            }
        }
        Pool neediest = null;
        for (Pool p : pools.all()) {
            if (p.weight() > 0 && p.mayOpen(conditions.now()) && (neediest == null || isNeedier(p, neediest))) {
                neediest = p;
            }
        }
        return neediest;
    }

    private static boolean isNeedier(Pool a, Pool b) {
        return a.weight() * (1L + b.idle.size() + b.surplus) > b.weight() * (1L + a.idle.size() + a.surplus);
    }

    void reconfigure() {
        decayAt = Math.min(decayAt, conditions.now() + conditions.tuning().maxIdleNanos);
        reapAgainAt = 0;
    }

    void born(ServerConnection c) {
        Tuning t = conditions.tuning();
        long now = conditions.now();
        if (c.slot.hold() == SlotHold.OVERFLOW) {
            c.life.age = Lifetime.Age.AGING;
            c.life.handoutUntil = now + t.overflowLifeNanos;
            ledger.lifetimes.put(c, c.life.handoutUntil);
            return;
        }
        long jitter = t.jitterNanos == 0 ? 0 : conditions.random().nextLong(t.jitterNanos + 1);
        c.life.age = Lifetime.Age.FRESH;
        c.life.handoutUntil = now + t.lifetimeNanos + jitter - t.guardNanos;
        ledger.lifetimes.put(c, c.life.handoutUntil - t.replaceAheadNanos);
    }

    void tick() {
        endLifetimes();
        reapIdle();
        if (conditions.now() >= decayAt) {
            decayAt = conditions.now() + conditions.tuning().maxIdleNanos;
            pools.forgetUnused();
        }
    }

    private void endLifetimes() {
        long now = conditions.now();
        ServerConnection c = ledger.lifetimes.peek();
        while (c != null && c.heapKey() <= now) {
            if (now < c.life.handoutUntil) {
                c.life.age = Lifetime.Age.AGING;
                if (c.state == ConnectionState.READY) {
                    ledger.agingReady++;
                }
                ledger.lifetimes.put(c, c.life.handoutUntil);
            } else {
                ledger.lifetimes.remove(c);
                if (c.state == ConnectionState.READY) {
                    openings.close(c, CloseReason.LIFETIME);
                }
            }
            c = ledger.lifetimes.peek();
        }
    }

    private void reapIdle() {
        ServerConnection c = ledger.idle.first();
        while (c != null && c.idleSince + conditions.tuning().maxIdleNanos <= conditions.now()) {
            boolean kept = ledger.idle.size() <= conditions.tuning().floor;
            if (kept && conditions.now() < reapAgainAt()) {
                return;
            }
            if (kept && !othersAreWanted(c.pool)) {
                reapAgainAt = conditions.now() + conditions.tuning().maxIdleNanos;
                reapedAtChange = pools.demandChanges;
                return;
            }
            openings.close(c, CloseReason.IDLE);
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

    private long reapAgainAt() {
        return reapedAtChange == pools.demandChanges ? reapAgainAt : 0;
    }

    long nextDeadline() {
        boolean asks = health.isUp() && !conditions.isRemoved() && conditions.now() < slots.stockRetryAt();
        long next = asks && slots.room() > 0 && wants() > 0 ? slots.stockRetryAt() : Long.MAX_VALUE;
        ServerConnection c = ledger.lifetimes.peek();
        if (c != null) {
            next = Math.min(next, c.heapKey());
        }
        ServerConnection idle = ledger.idle.first();
        if (idle != null) {
            boolean kept = ledger.idle.size() <= conditions.tuning().floor;
            long reap = idle.idleSince + conditions.tuning().maxIdleNanos;
            next = Math.min(next, kept ? Math.max(reap, reapAgainAt()) : reap);
        }
        boolean unused = pools.all().isEmpty() || conditions.isRemoved();
        return unused ? next : Math.min(next, decayAt);
    }
}
