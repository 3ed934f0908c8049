package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.state.SlotHold;
import org.jspecify.annotations.Nullable;

/**
 * Puts the house in order after each event: pays what is owed, serves who waits, fills the stock, and hands back what
 * is left. After it no slot is without a connection and nothing can be done that was not.
 */
final class Steward {
    private final Bucket bucket;
    private final Ledger ledger;
    private final Slots slots;
    private final Openings openings;
    private boolean drainedTold;

    Steward(Bucket bucket) {
        this.bucket = bucket;
        this.ledger = bucket.ledger;
        this.slots = bucket.slots;
        this.openings = bucket.openings;
    }

    void settle() {
        if (isCalm()) {
            return;
        }
        bucket.pools.believeLoginsAgain();
        payDebts();
        if (bucket.isRemoved()) {
            clearOut();
        } else {
            tendHealth();
            endWarmUps(); // before the stock is looked at: what was set out for a warm-up may be too many now
            serve();
        }
        withdraw();
        forgetUnasked();
        openings.pump();
        if (slots.free > 0) {
            slots.giveBackFree(slots.free);
        }
        tellDrained();
    }

    /** On the hot path this is all that happens. */
    private boolean isCalm() {
        return ledger.hungryWaiters + ledger.blockedWaiters == 0
                && !bucket.lane.admitsMore()
                && ledger.leasing.size() + ledger.rateLimited.size() == 0
                && slots.free + slots.asked + slots.inLine == 0
                && ledger.surplus == 0
                && bucket.health.isUp()
                && !slots.hasDebts()
                && bucket.pools.warming.isEmpty()
                && bucket.now() < bucket.pools.believeAt
                && !bucket.pools.limitsChanged
                && !bucket.isRemoved()
                && bucket.reservoir.wants() <= 0;
    }

    private void payDebts() {
        slots.payFromFree();
        while (slots.hasDebts()) {
            ServerConnection c = ledger.idle.first();
            if (c != null) {
                openings.close(c, debtPaidBy(c));
                continue;
            }
            c = slots.revoked > 0 || slots.excess() > 0 ? firstWithSlot() : null;
            if (c == null) {
                break; // the next to be released pays
            }
            openings.drop(c);
            slots.payFromFree();
        }
        payLoginExcess();
    }

    private CloseReason debtPaidBy(ServerConnection c) {
        if (slots.takeForRevocation(c)) {
            return CloseReason.REVOKED;
        }
        if (slots.takeForLimit(c)) {
            return CloseReason.LIMIT_LOWERED;
        }
        return slots.takeForDemand(c) ? CloseReason.DEMANDED : CloseReason.OVERFLOW;
    }

    private @Nullable ServerConnection firstWithSlot() {
        ServerConnection c = ledger.rateLimited.first();
        while (c != null && c.hold != SlotHold.OWNED) {
            c = c.stageAfter;
        }
        return c;
    }

    /** Connections beyond a login's limit, after it was lowered: first those not opened yet, then idle ones. */
    private void payLoginExcess() {
        if (!bucket.pools.limitsChanged) {
            return;
        }
        bucket.pools.limitsChanged = false;
        dropLoginExcess(ledger.leasing);
        dropLoginExcess(ledger.rateLimited);
        ServerConnection c = ledger.idle.first();
        while (c != null) {
            ServerConnection next = c.stageAfter;
            if (c.pool.login.isOverLimit()) {
                ledger.leaveLogin(c);
                openings.close(c, CloseReason.LIMIT_LOWERED);
            }
            c = next;
        }
    }

    private void dropLoginExcess(ConnectionList list) {
        ServerConnection c = list.first();
        while (c != null) {
            ServerConnection next = c.stageAfter;
            if (c.counted && c.pool.login.isOverLimit()) {
                openings.drop(c);
            }
            c = next;
        }
    }

    private void clearOut() {
        bucket.lane.refuseAll(Refusal.REMOVED);
        bucket.dispatcher.refuseAll(Refusal.REMOVED);
        openings.dropAll();
        openings.closeIdle(CloseReason.REMOVED);
        endWarmUps();
    }

    private void tendHealth() {
        switch (bucket.health.state) {
            case UP -> {}
            case DOWN -> {
                bucket.lane.refuseAll(Refusal.SERVER_UNAVAILABLE);
                bucket.dispatcher.refuseUnserved();
                openings.dropAll();
                if (bucket.now() >= bucket.health.retryAt) {
                    probe();
                }
            }
            case PROBING -> {
                bucket.lane.refuseAll(Refusal.SERVER_UNAVAILABLE);
                bucket.dispatcher.refuseUnserved();
                boolean underWay = ledger.opening.size() + ledger.checking.size() + ledger.rateLimited.size() > 0;
                Pool pool = probePool();
                if (!underWay && slots.free > 0 && pool != null) {
                    openings.start(pool, SlotHold.OWNED, true);
                } else if (!underWay && slots.asked == 0) {
                    bucket.health.probeGivenUp();
                }
            }
        }
    }

    /** Half open: one connection, an old one or a new one, finds out whether the server is back. */
    private void probe() {
        Pool pool = probePool();
        if (pool == null && ledger.connections() == 0) {
            bucket.health.assumeUp();
            return;
        }
        ServerConnection lastUsed = ledger.idle.last();
        if (ledger.opening.size() + ledger.checking.size() > 0) {
            bucket.health.probing();
        } else if (lastUsed != null) {
            bucket.health.probing();
            bucket.checks.validate(lastUsed, true);
        } else if (pool != null && slots.free > 0) {
            bucket.health.probing();
            openings.start(pool, SlotHold.OWNED, true);
        } else if (pool != null && slots.room() > 0) {
            bucket.health.probing();
            openings.want(pool, 1);
            slots.ask(1, LeasePort.Patience.AT_ONCE);
        } else {
            bucket.health.probeGivenUp();
        }
    }

    private @Nullable Pool probePool() {
        Pool best = null;
        for (Pool p : bucket.pools.all()) {
            if (p.mayOpen(bucket.now()) && (best == null || isBetterProbe(p, best))) {
                best = p;
            }
        }
        return best;
    }

    /** A login that was let in before tells more of the server; among equals the busiest. */
    private static boolean isBetterProbe(Pool p, Pool than) {
        return p.proven == than.proven ? p.demand > than.demand : p.proven;
    }

    private void endWarmUps() {
        for (int i = bucket.pools.warming.size() - 1; i >= 0; i--) {
            Pool p = bucket.pools.warming.get(i);
            boolean over = bucket.now() >= p.warmUpDeadline || p.standing != Pool.Standing.ACTIVE || bucket.isRemoved();
            if (over || p.live >= p.warmUpWanted) {
                bucket.pools.warming.remove(i);
                bucket.ring.warmedUp(p, p.live, p.warmUpWanted);
                p.warmUpDeadline = Long.MAX_VALUE;
            }
        }
    }

    /** What is forgotten for want of need may be just what someone else waits for: so again, until nothing moves. */
    private void serve() {
        do {
            bucket.lane.admit();
            bucket.coverage.cover();
            bucket.reservoir.refill();
        } while ((trim() && ledger.hungryWaiters + ledger.blockedWaiters > 0) || bucket.lane.admitsMore());
    }

    /** Forgets what waiters left behind. */
    private boolean trim() {
        int before = bucket.reservoir.tooMany();
        int tooMany = before;
        ServerConnection c = ledger.leasing.first();
        while (tooMany > 0 && c != null) {
            ServerConnection next = c.stageAfter;
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

    /** Leaves the fleet's line when there is nothing to wait for. */
    private void withdraw() {
        boolean wanted = bucket.health.isUp() && !bucket.isRemoved();
        int needed = wanted ? ledger.hungryWaiters + Math.max(0, bucket.reservoir.wants()) : 0;
        int unneeded = Math.min(slots.inLine, slots.asked + slots.inLine - needed);
        if (unneeded > 0) {
            slots.withdraw(unneeded);
        }
    }

    /** A wanted connection stands for a slot asked for: no ask, no wish. */
    private void forgetUnasked() {
        ServerConnection c = ledger.leasing.first();
        int unasked = ledger.leasing.size() - ledger.heirs - slots.asked - slots.inLine;
        while (c != null && unasked > 0) {
            ServerConnection next = c.stageAfter;
            if (c.slotFrom == null) {
                openings.drop(c);
                unasked--;
            }
            c = next;
        }
    }

    private void tellDrained() {
        boolean empty = ledger.connections() == 0 && slots.outstanding() == 0 && slots.held == 0;
        if (bucket.isRemoved() && empty && !drainedTold) {
            drainedTold = true;
            bucket.ring.drained();
        }
    }
}
