package dev.comporta.pool;

import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.Tallies;
import org.jspecify.annotations.Nullable;

/** Releases and pins. */
record Usage(Conditions conditions, Ledger ledger, Tallies tallies) {
    void release(ServerConnection c, @Nullable Object state, boolean clean) {
        detach(c);
        c.session.handedBack(state, clean);
        c.heardAt = conditions.now();
    }

    void releaseDirty(ServerConnection c) {
        detach(c);
        c.session.state = null;
    }

    void pin(ServerConnection c, PinReason reason) {
        endPin(c);
        if (c.state == ConnectionState.ATTACHED) {
            ledger.move(c, ConnectionState.PINNED);
        }
        c.pinReason = reason;
        c.stageSince = conditions.now();
        tallies.pinned.add(reason, 1);
    }

    void unpin(ServerConnection c) {
        endPin(c);
        ledger.move(c, ConnectionState.ATTACHED);
    }

    /** Takes the connection from its client. */
    void detach(ServerConnection c) {
        endPin(c);
        Waiter w = c.waiter;
        if (w != null) {
            w.status = Waiter.Status.IDLE;
            w.connection = null;
            c.waiter = null;
        }
        c.idleSince = conditions.now();
        c.pool.counters.released++;
        tallies.lastActivityAt = conditions.now();
        tallies.attach.record(conditions.now() - c.attachedAt);
    }

    private void endPin(ServerConnection c) {
        PinReason reason = c.pinReason;
        if (reason != null) {
            tallies.pinnedNanos.add(reason, conditions.now() - c.stageSince);
            c.pinReason = null;
        }
    }
}
