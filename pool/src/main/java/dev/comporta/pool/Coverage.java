package dev.comporta.pool;

import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.health.Health;
import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.slot.Slots;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.state.SlotHold;

/** Starts a connection for each uncovered waiter, as far as slots allow; otherwise refuses it, if the policy says so. */
record Coverage(
        Conditions conditions, Ledger ledger, Slots slots, Health health, Openings openings, Dispatcher dispatcher) {
    /**
     * Starts connections for waiters that are not covered, until slots, spare connections and idle ones are used up.
     * Requests for a server that is down wait until it is back: nothing is opened for it, and its policy does not refuse
     * it.
     */
    void cover() {
        if (ledger.takeSparesNeeded()) {
            dispatcher.serveAllReady();
        }
        if (health.isUp()) {
            coverHungry();
            while (ledger.blockedWaiters > 0 && coverBlocked()) {
                coverHungry();
            }
        }
    }

    /** Starts a connection for this waiter, if it is not covered. The waiters before it in the queue have had their turn. */
    void cover(Waiter w, Pool p) {
        Waiter uncovered = p.waitlist.firstUncovered();
        boolean more = health.isUp();
        while (more && uncovered != null && uncovered.order <= w.order) {
            if (p.hungryWaiters > 0) {
                more = coverOne(p);
            } else {
                more = p.login.isAtLimit() && ledger.oldestBlocked(p.login) == p && makeRoom(p.login, p);
            }
            uncovered = p.waitlist.firstUncovered();
        }
    }

    private void coverHungry() {
        for (Pool p = ledger.hungry.peek(); p != null && coverOne(p); p = ledger.hungry.peek()) {}
    }

    private boolean coverOne(Pool p) {
        if (slots.free() > 0 && openings.allowance() > 0) {
            openings.start(p, SlotHold.OWNED, Trial.Occasion.CLIENT);
            return true;
        }
        ServerConnection spare = openings.spare(null);
        if (spare != null) {
            openings.drop(spare);
            return true;
        }
        ServerConnection victim = ledger.idle.first();
        if (victim == null || !openings.isServerFull()) { // full: one may still replace another
            askFor(p);
        }
        if (ledger.hungryWaiters <= slots.asked()) {
            return false;
        }
        if (victim != null) {
            if (!openings.mayStartNow()) {
                return false;
            }
            openings.closeFor(victim, p, CloseReason.SLOT_NEEDED);
            return true;
        }
        if (slots.overflow() < conditions.tuning().settings.exhaustion().overflowConnections()
                && openings.allowance() > 0) {
            openings.start(p, SlotHold.OVERFLOW, Trial.Occasion.CLIENT);
            return true;
        }
        return conditions.tuning().policy == ExhaustionSettings.Policy.FAIL_FAST && refuseNewest(false);
    }

    private void askFor(Pool p) {
        int missing = ledger.hungryWaiters - slots.asked() - slots.inLine();
        int n = Math.min(Math.min(missing, slots.room()), openings.allowance());
        if (n > 0 && conditions.now() >= slots.retryAt()) {
            boolean wait = conditions.tuning().policy == ExhaustionSettings.Policy.WAIT;
            openings.want(p, n);
            slots.ask(n, wait ? LeasePort.Patience.IN_LINE : LeasePort.Patience.AT_ONCE);
        }
    }

    /**
     * Refuses the latest of the uncovered waiters.
     *
     * @param blocked choose among waiters whose login is at its limit, or else among those a connection may be opened for
     */
    private boolean refuseNewest(boolean blocked) {
        for (Waiter w = ledger.arrivals.last(); w != null; w = w.arrival.before()) {
            Pool pool = w.pool;
            boolean meant = pool != null && (blocked ? pool.blockedWaiters : pool.hungryWaiters) > 0;
            Waiter uncovered = pool != null && meant ? pool.waitlist.firstUncovered() : null;
            if (uncovered != null && w.order >= uncovered.order) {
                dispatcher.refuse(w, Refusal.POOL_EXHAUSTED);
                return true;
            }
        }
        return false;
    }

    /** A login at its limit closes a connection of one of its pools for a waiter of another of its pools. */
    private boolean coverBlocked() {
        boolean helped = false;
        // From the end: a login whose waiters are covered leaves the list.
        for (int i = ledger.blockedLogins.size() - 1; i >= 0; i--) {
            Login login = ledger.blockedLogins.get(i);
            Pool p = login.isAtLimit() ? ledger.oldestBlocked(login) : null;
            while (p != null && makeRoom(login, p)) {
                helped = true;
                p = login.isAtLimit() ? ledger.oldestBlocked(login) : null;
            }
        }
        boolean failFast = conditions.tuning().policy == ExhaustionSettings.Policy.FAIL_FAST;
        while (failFast && !helped && ledger.blockedWaiters > 0 && refuseNewest(true)) {}
        return helped;
    }

    private boolean makeRoom(Login login, Pool pool) {
        ServerConnection spare = openings.spare(login);
        if (spare != null) {
            openings.drop(spare);
            return true;
        }
        ServerConnection victim = ledger.idle.first();
        while (victim != null && victim.pool.login != login) {
            victim = victim.inStage.after();
        }
        if (victim == null || !openings.mayStartNow()) {
            return false;
        }
        openings.closeFor(victim, pool, CloseReason.SLOT_NEEDED);
        return true;
    }

    /** When slots that were denied are asked for again. */
    long nextDeadline() {
        boolean again = health.isUp()
                && !conditions.isRemoved()
                && !conditions.isPaused()
                && conditions.now() < slots.retryAt();
        boolean needed = slots.room() > 0 && ledger.hungryWaiters > slots.asked() + slots.inLine();
        return again && needed ? slots.retryAt() : Long.MAX_VALUE;
    }
}
