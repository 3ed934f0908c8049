package dev.comporta.pool;

import dev.comporta.pool.settings.Tuning;
import dev.comporta.pool.state.HealthState;

/** When something will be due. Each date here is one that a tick at that time moves on: or the carrier would spin. */
final class Deadlines {
    private Deadlines() {}

    static long next(Bucket b) {
        if (b.ring.isHeldUp()) {
            return b.now();
        }
        Tuning t = b.tuning;
        Ledger ledger = b.ledger;
        long next = b.reservoir.nextDeadline();
        Waiter w = ledger.arrivals.first();
        if (w != null) {
            next = Math.min(next, w.queuedAt + t.queueTimeoutNanos);
        }
        next = Math.min(next, b.lane.nextDeadline());
        ServerConnection opening = ledger.opening.first();
        if (opening != null) {
            next = Math.min(next, opening.stageSince + t.connectTimeoutNanos);
        }
        ServerConnection checking = ledger.checking.first();
        if (checking != null) {
            next = Math.min(next, checking.stageSince + t.checkTimeoutNanos);
        }
        next = Math.min(next, b.checks.nextReset());
        if (!b.isRemoved()) {
            next = Math.min(next, b.pools.believeAt);
        }
        for (int i = 0; i < b.pools.warming.size(); i++) {
            next = Math.min(next, b.pools.warming.get(i).warmUpDeadline);
        }
        next = Math.min(next, nextHealth(b));
        next = Math.min(next, nextConnect(b));
        return Math.min(next, nextAsk(b));
    }

    private static long nextHealth(Bucket b) {
        if (b.isRemoved()) {
            return Long.MAX_VALUE;
        }
        return switch (b.health.state) {
            case UP -> b.tuning.checkIntervalNanos > 0 && b.ledger.idle.size() > 0 ? b.health.checkAt : Long.MAX_VALUE;
            case DOWN -> b.health.retryAt;
            case PROBING -> Long.MAX_VALUE;
        };
    }

    /** When the connect rate, or the pause after a failure, lets the next connection be opened. */
    private static long nextConnect(Bucket b) {
        Ledger ledger = b.ledger;
        RateLimit rate = b.openings.rate;
        long pause = b.health.isUp() ? b.health.retryAt : 0;
        if (ledger.rateLimited.size() > 0 && b.health.state != HealthState.DOWN) {
            boolean oneAtATime = !b.health.isUp() && ledger.opening.size() > 0;
            boolean waitsForFleet = !b.openings.allowance.isThere();
            return oneAtATime || waitsForFleet ? Long.MAX_VALUE : Math.max(pause, rate.whenAvailable(1));
        }
        boolean mayGiveUp =
                ledger.idle.size() > 0 && (ledger.hungryWaiters + ledger.blockedWaiters > 0 || ledger.agingReady > 0);
        int ahead = ledger.heirs + 1;
        if (mayGiveUp && b.health.isUp() && ahead <= rate.burst() && !b.openings.mayStartNow()) {
            return Math.max(pause, rate.whenAvailable(ahead));
        }
        return Long.MAX_VALUE;
    }

    private static long nextAsk(Bucket b) {
        Slots slots = b.slots;
        if (slots.room() <= 0 || !b.health.isUp() || b.isRemoved()) {
            return Long.MAX_VALUE;
        }
        long next = Long.MAX_VALUE;
        if (b.now() < slots.retryAt && b.ledger.hungryWaiters > slots.asked + slots.inLine) {
            next = slots.retryAt;
        }
        if (b.now() < slots.stockRetryAt && b.reservoir.wants() > 0) {
            next = Math.min(next, slots.stockRetryAt);
        }
        return next;
    }
}
