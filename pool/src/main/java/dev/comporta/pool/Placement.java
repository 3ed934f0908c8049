package dev.comporta.pool;

import dev.comporta.pool.connection.Trial;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.slot.Slots;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.SlotHold;
import org.jspecify.annotations.Nullable;

/** Finds the next use of a connection that no client has: a waiter, the stock, or closing it. */
record Placement(
        Conditions conditions, Ledger ledger, Slots slots, Openings openings, Checks checks, Dispatcher dispatcher) {
    /** A client has released it: it is reset and validated first, if that is configured. */
    void released(ServerConnection c) {
        if (conditions.tuning().resetOnRelease) {
            checks.reset(c);
        } else {
            cleaned(c);
        }
    }

    /** The connection was used and is clean. */
    void cleaned(ServerConnection c) {
        if (conditions.tuning().validateOnRelease) {
            checks.validate(c, Trial.Occasion.CLIENT);
        } else {
            place(c);
        }
    }

    void place(ServerConnection c) {
        Waiter w = conditions.isPaused() ? null : c.pool.waitlist.first();
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
        // A waiter whose slot is asked for and not answered yet does not count as in need.
        boolean inNeed = elder != null && (ledger.blockedWaiters > 0 || ledger.hungryWaiters > slots.asked());
        if (elder != null && inNeed && openings.mayStartNow()) {
            openings.closeFor(c, elder, CloseReason.SLOT_NEEDED);
        } else {
            dispatcher.attach(w, c);
        }
    }

    private void rest(ServerConnection c) {
        if (checks.mustReset(c)) {
            checks.reset(c);
        } else {
            ledger.move(c, ConnectionState.READY);
        }
    }

    private @Nullable CloseReason endOf(ServerConnection c, @Nullable Waiter next) {
        if (conditions.isRemoved() || c.pool.standing == Pool.Standing.RETIRED) {
            return CloseReason.REMOVED;
        }
        if (c.life.generation != conditions.generation()) {
            return CloseReason.RECONNECT;
        }
        if (conditions.now() >= c.life.handoutUntil) {
            return c.slot.hold() == SlotHold.OVERFLOW ? CloseReason.OVERFLOW : CloseReason.LIFETIME;
        }
        if (slots.takeForRevocation(c.slot)) {
            return CloseReason.REVOKED;
        }
        if (slots.takeForLimit(c.slot)) {
            return CloseReason.LIMIT_LOWERED;
        }
        if (c.pool.login.isOverLimit()) {
            ledger.leaveLogin(c);
            return CloseReason.LIMIT_LOWERED;
        }
        // A connection just opened for a waiter serves it once before the fleet gets its slot.
        if ((c.counts.uses > 0 || next == null) && slots.takeForDemand(c.slot)) {
            return CloseReason.DEMANDED;
        }
        if (c.slot.hold() == SlotHold.OVERFLOW && next == null) {
            return CloseReason.OVERFLOW;
        }
        return null;
    }

    /** The pool of an older uncovered waiter that could use this connection's slot. */
    private @Nullable Pool elderThan(Waiter w, ServerConnection c) {
        Pool elder = ledger.hungry.peek();
        long before = w.order;
        if (elder != null && elder.heapKey() < before) {
            before = elder.heapKey();
        } else {
            elder = null;
        }
        Login login = c.pool.login;
        if (login.isAtLimit()) {
            Pool sibling = ledger.oldestBlocked(login);
            Waiter blocked = sibling == null ? null : sibling.waitlist.firstUncovered();
            if (blocked != null && blocked.order < before) {
                return sibling;
            }
        }
        return elder;
    }
}
