package dev.comporta.pool;

import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.health.Health;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.list.Chain;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.slot.Slots;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.state.SlotHold;
import org.jspecify.annotations.Nullable;

/**
 * Finishes the work of each event: gives up slots that are owed, serves waiters, fills the stock, and gives unused slots
 * back. Afterwards no slot is without a connection, and nothing more can be done.
 */
final class Steward {
    private final Conditions conditions;
    private final Ledger ledger;
    private final Slots slots;
    private final Health health;
    private final PoolTable pools;
    private final Openings openings;
    private final Checks checks;
    private final Dispatcher dispatcher;
    private final LoginLane lane;
    private final Coverage coverage;
    private final Reservoir reservoir;
    private final OrderRing ring;
    private boolean drainedReported;
    /** The number of the latest pause that was reported as quiesced. */
    private long reportedPause;

    Steward(
            Conditions conditions,
            Ledger ledger,
            Slots slots,
            Health health,
            PoolTable pools,
            Openings openings,
            Checks checks,
            Dispatcher dispatcher,
            LoginLane lane,
            Coverage coverage,
            Reservoir reservoir,
            OrderRing ring) {
        this.conditions = conditions;
        this.ledger = ledger;
        this.slots = slots;
        this.health = health;
        this.pools = pools;
        this.openings = openings;
        this.checks = checks;
        this.dispatcher = dispatcher;
        this.lane = lane;
        this.coverage = coverage;
        this.reservoir = reservoir;
        this.ring = ring;
    }

    void settle() {
        if (isCalm()) {
            return;
        }
        pools.believeLoginsAgain();
        payDebts();
        if (conditions.isRemoved()) {
            clearOut();
        } else {
            tendHealth();
            endWarmUps(); // first: a warm-up that has ended may leave too many connections on their way
            if (conditions.isPaused()) {
                hold();
            } else {
                serve();
            }
        }
        withdraw();
        forgetUnasked();
        openings.pump();
        if (slots.free() > 0) {
            slots.giveBackFree(slots.free());
        }
        reportQuiesced();
        reportDrained();
    }

    /** Whether nothing is to be done. On the hot path, this is all that runs. */
    private boolean isCalm() {
        return ledger.hungryWaiters + ledger.blockedWaiters == 0
                && lane.next() == null
                && ledger.leasing.size() + ledger.rateLimited.size() == 0
                && slots.free() + slots.asked() + slots.inLine() == 0
                && ledger.surplus == 0
                && health.isUp()
                && !slots.hasDebts()
                && pools.warming.isEmpty()
                && conditions.now() < pools.believeAt
                && !pools.limitsChanged
                && !conditions.isRemoved()
                && !isQuiescenceDue()
                && reservoir.wants() <= 0;
    }

    private void payDebts() {
        slots.payFromFree();
        while (slots.hasDebts()) {
            ServerConnection c = ledger.idle.first();
            if (c != null) {
                openings.close(c, debtPaidBy(c));
                continue;
            }
            c = slots.revoked() > 0 || slots.excess() > 0 ? firstWithSlot() : null;
            if (c == null) {
                break; // the next connection to be released gives up its slot
            }
            openings.drop(c);
            slots.payFromFree();
        }
        payLoginExcess();
    }

    private CloseReason debtPaidBy(ServerConnection c) {
        if (slots.takeForRevocation(c.slot)) {
            return CloseReason.REVOKED;
        }
        if (slots.takeForLimit(c.slot)) {
            return CloseReason.LIMIT_LOWERED;
        }
        return slots.takeForDemand(c.slot) ? CloseReason.DEMANDED : CloseReason.OVERFLOW;
    }

    private @Nullable ServerConnection firstWithSlot() {
        ServerConnection c = ledger.rateLimited.first();
        while (c != null && c.slot.hold() != SlotHold.OWNED) {
            c = c.inStage.after();
        }
        return c;
    }

    /** Ends connections beyond a login's limit, after it was lowered: first those not opened yet, then idle ones. */
    private void payLoginExcess() {
        if (!pools.takeLimitsChanged()) {
            return;
        }
        dropLoginExcess(ledger.leasing);
        dropLoginExcess(ledger.rateLimited);
        ServerConnection c = ledger.idle.first();
        while (c != null) {
            ServerConnection next = c.inStage.after();
            if (c.pool.login.isOverLimit()) {
                ledger.leaveLogin(c);
                openings.close(c, CloseReason.LIMIT_LOWERED);
            }
            c = next;
        }
    }

    private void dropLoginExcess(Chain<ServerConnection> list) {
        ServerConnection c = list.first();
        while (c != null) {
            ServerConnection next = c.inStage.after();
            if (c.loginShare != ServerConnection.LoginShare.NOT_COUNTED && c.pool.login.isOverLimit()) {
                openings.drop(c);
            }
            c = next;
        }
    }

    private void clearOut() {
        dispatcher.refuseAll(Refusal.REMOVED);
        openings.dropAll();
        openings.closeIdle(CloseReason.REMOVED);
        endWarmUps();
    }

    private void tendHealth() {
        switch (health.state()) {
            case UP -> {}
            case DOWN -> {
                refuseUnserved();
                openings.dropAll();
                if (conditions.now() >= health.retryAt()) {
                    probe();
                }
            }
            case PROBING -> {
                refuseUnserved();
                boolean underWay = ledger.opening.size() + ledger.checking.size() + ledger.rateLimited.size() > 0;
                Pool pool = probePool();
                if (!underWay && slots.free() > 0 && pool != null) {
                    openings.start(pool, SlotHold.OWNED, Trial.Occasion.POOL);
                } else if (!underWay && slots.asked() == 0) {
                    health.probeGivenUp();
                }
            }
        }
    }

    /** In a paused bucket requests wait even if the server is down: the operator may be restarting it. */
    private void refuseUnserved() {
        if (!conditions.isPaused() && !conditions.tuning().waitsWhenDown) {
            dispatcher.refuseUnserved();
        }
    }

    /** Half open: one connection, an existing or a new one, shows whether the server is back. */
    private void probe() {
        Pool pool = probePool();
        if (pool == null && ledger.connections() == 0) {
            noLoginToProbeWith();
            return;
        }
        ServerConnection lastUsed = ledger.idle.last();
        if (ledger.opening.size() + ledger.checking.size() > 0) {
            health.probing();
        } else if (lastUsed != null) {
            health.probing();
            checks.validate(lastUsed, Trial.Occasion.POOL);
        } else if (pool != null && slots.free() > 0) {
            health.probing();
            openings.start(pool, SlotHold.OWNED, Trial.Occasion.POOL);
        } else if (pool != null && slots.room() > 0) {
            health.probing();
            openings.want(pool, 1);
            slots.ask(1, LeasePort.Patience.AT_ONCE);
        } else {
            health.probeGivenUp();
        }
    }

    /**
     * No pool is known whose login could be tried. If requests wait while the server is down, the next one brings a login,
     * and the bucket stays down until then. If they are refused, no login would ever be tried: so the bucket counts as up,
     * and the next request is the probe.
     */
    private void noLoginToProbeWith() {
        if (conditions.tuning().waitsWhenDown) {
            health.nothingToProbeWith();
        } else {
            health.assumeUp();
        }
    }

    private @Nullable Pool probePool() {
        Pool eldest = ledger.hungry.peek();
        if (eldest != null && eldest.proven) {
            return eldest; // the oldest waiter gets the connection that shows that the server is back
        }
        Pool best = null;
        for (Pool p : pools.all()) {
            if (p.mayOpen(conditions.now()) && (best == null || isBetterProbe(p, best))) {
                best = p;
            }
        }
        return best;
    }

    /**
     * Prefers a login that the server has accepted before, because its failure says more about the server; then one with
     * waiters, then the one with most demand.
     */
    private static boolean isBetterProbe(Pool p, Pool than) {
        if (p.proven != than.proven) {
            return p.proven;
        }
        return p.isAwaited() == than.isAwaited() ? p.demand > than.demand : p.isAwaited();
    }

    private void endWarmUps() {
        for (int i = pools.warming.size() - 1; i >= 0; i--) {
            Pool p = pools.warming.get(i);
            boolean over = conditions.now() >= p.warmUpDeadline
                    || p.standing != Pool.Standing.ACTIVE
                    || conditions.isRemoved();
            if (over || p.live >= p.warmUpWanted) {
                pools.endWarmUp(i);
                ring.warmedUp(p, p.live, p.warmUpWanted);
            }
        }
    }

    /** While the bucket is paused, nothing is opened except probes of a server that is down. */
    private void hold() {
        if (health.isUp()) {
            openings.dropAll();
        }
    }

    /** A slot that {@link #trim} frees may be needed by a waiter of another pool: so this repeats until nothing changes. */
    private void serve() {
        openings.yieldToFullServer();
        do {
            dispatcher.admitLogins();
            coverage.cover();
            reservoir.refill();
        } while ((trim() && ledger.hungryWaiters + ledger.blockedWaiters > 0) || lane.next() != null);
    }

    /** Drops connections on their way that no waiter needs any more. */
    private boolean trim() {
        int before = reservoir.tooMany();
        int tooMany = before;
        ServerConnection c = ledger.leasing.first();
        while (tooMany > 0 && c != null) {
            ServerConnection next = c.inStage.after();
            if (c.slotFrom != null && c.pool.surplus > 0) {
                openings.drop(c);
                tooMany--;
            }
            c = next;
        }
        ServerConnection spare = tooMany > 0 ? openings.spare(null) : null;
        while (tooMany > 0 && spare != null) {
            openings.drop(spare);
            tooMany--;
            spare = openings.spare(null);
        }
        return tooMany < before;
    }

    /** Leaves the fleet's line for slots that are no longer needed. */
    private void withdraw() {
        boolean wanted = health.isUp() && !conditions.isRemoved() && !conditions.isPaused();
        int needed = wanted ? ledger.hungryWaiters + Math.max(0, reservoir.wants()) : 0;
        needed = Math.min(needed, openings.mostUnderWay());
        int unneeded = Math.min(slots.inLine(), slots.asked() + slots.inLine() - needed);
        if (unneeded > 0) {
            slots.withdraw(unneeded);
        }
    }

    /** Each wanted connection stands for a slot that is asked for: drops those whose slot is not asked for any more. */
    private void forgetUnasked() {
        ServerConnection c = ledger.leasing.first();
        int unasked = ledger.leasing.size() - ledger.heirs - slots.asked() - slots.inLine();
        while (c != null && unasked > 0) {
            ServerConnection next = c.inStage.after();
            if (c.slotFrom == null) {
                openings.drop(c);
                unasked--;
            }
            c = next;
        }
    }

    private boolean isQuiescenceDue() {
        return conditions.isPaused() && reportedPause != conditions.pauses();
    }

    private void reportQuiesced() {
        if (isQuiescenceDue() && ledger.isQuiet()) {
            reportedPause = conditions.pauses();
            ring.quiesced(conditions.pauses());
        }
    }

    private void reportDrained() {
        boolean empty = ledger.connections() == 0 && slots.outstanding() == 0 && slots.held() == 0;
        if (conditions.isRemoved() && empty && !drainedReported) {
            drainedReported = true;
            ring.drained();
        }
    }
}
