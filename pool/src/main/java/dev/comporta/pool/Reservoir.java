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
 * The stock of ready connections. A bucket has one stock, with one target, one limit and one connect rate. Each
 * connection in it belongs to a pool, and the pools share the stock in proportion to their demand.
 */
final class Reservoir {
    private final Conditions conditions;
    private final Ledger ledger;
    private final Slots slots;
    private final Health health;
    private final PoolTable pools;
    private final Openings openings;

    private long decayAt;
    /** When {@link #reapIdle} looks again at idle connections that are kept as stock. */
    private long reapAgainAt;
    /** The pools' {@link PoolTable#demandChanges} when that time was set: after a change it looks at once. */
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

    private boolean mayGrow() {
        return health.isUp() && !conditions.isPaused();
    }

    /** How many connections the stock lacks, not counting those on their way. */
    private int missing() {
        return mayGrow() ? Math.max(conditions.tuning().floor - fresh(), 0) : 0;
    }

    /** How many connections to start now. */
    int wants() {
        return Math.min(lacks(), openings.allowance());
    }

    private int lacks() {
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
        return mayGrow() ? wants : 0;
    }

    private int warmUpWants(Pool p) {
        return p.mayOpen(conditions.now()) ? Math.max(0, p.warmUpWanted - p.live - comingFor(p)) : 0;
    }

    /** The pool's connections on their way, without those being checked, which count as live already. */
    private static int comingFor(Pool p) {
        return Math.max(0, p.coming - p.checking());
    }

    /** How many connections on their way are no longer needed, for waiters or for the stock, after waiters left. */
    int tooMany() {
        if (!health.isUp() || !pools.warming.isEmpty()) {
            return 0;
        }
        return ledger.surplus - missing();
    }

    /** Starts connections for the stock with the slots that waiters did not use. */
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

    /**
     * Every event in a full bucket comes here: the neediest pool is searched for only if it matters, as there may be many
     * pools.
     */
    private void askOrReplace(int unasked) {
        int n = conditions.now() < slots.stockRetryAt() ? 0 : Math.min(unasked, slots.room());
        if (n <= 0 || (ledger.agingReady > 0 && openings.isServerFull())) {
            replaceInPlace();
            return;
        }
        Pool p = neediest();
        if (p != null) {
            openings.want(p, n);
            slots.ask(n, LeasePort.Patience.AT_ONCE);
        }
    }

    /**
     * There is no slot for a replacement: before the guard window begins, aging connections are closed one by one, each to
     * give its slot to its replacement.
     */
    private void replaceInPlace() {
        ServerConnection c = ledger.agingReady > 0 && ledger.surplus == 0 ? ledger.idle.first() : null;
        while (c != null && !c.life.isAging()) {
            c = c.inStage.after();
        }
        if (c != null && mayReplace(c.pool) && openings.mayStartNow()) {
            openings.closeFor(c, c.pool, CloseReason.LIFETIME);
        }
    }

    /** The login's limit does not matter: one connection is closed for one opened. */
    private boolean mayReplace(Pool p) {
        return p.standing == Pool.Standing.ACTIVE && conditions.now() >= p.loginRetryAt;
    }

    /** The pool whose demand is met worst by its stock, by the rule that distributes seats among parties (D'Hondt's). */
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

    /** Whether stock of a pool without demand should make room for another pool that has demand. */
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
