package dev.comporta.pool;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import org.jspecify.annotations.Nullable;

/** What clients do with the connections they have: keep them, and give them back. */
final class Usage {
    private final Bucket bucket;
    private final Ledger ledger;

    Usage(Bucket bucket) {
        this.bucket = bucket;
        this.ledger = bucket.ledger;
    }

    void release(ServerConnection c, @Nullable Object state, boolean clean) {
        detach(c);
        c.sessionState = state;
        c.unclean = !clean;
        c.heardAt = bucket.now();
        bucket.health.answered();
        if (bucket.tuning.resetOnRelease) {
            bucket.checks.reset(c);
        } else {
            bucket.checks.placeAfterUse(c);
        }
    }

    void releaseDirty(ServerConnection c) {
        detach(c);
        c.sessionState = null;
        bucket.checks.reset(c);
    }

    void pin(ServerConnection c, PinReason reason) {
        endPin(c);
        if (c.state == ConnectionState.ATTACHED) {
            ledger.move(c, ConnectionState.PINNED);
        }
        c.pinReason = reason;
        c.stageSince = bucket.now();
        bucket.tallies.pinned.add(reason, 1);
    }

    void unpin(ServerConnection c) {
        endPin(c);
        ledger.move(c, ConnectionState.ATTACHED);
    }

    /** The client has it no longer, whatever becomes of it. */
    void detach(ServerConnection c) {
        endPin(c);
        Waiter w = c.waiter;
        if (w != null) {
            w.status = Waiter.Status.IDLE;
            w.connection = null;
            c.waiter = null;
        }
        c.idleSince = bucket.now();
        c.pool.counters.released++;
        bucket.tallies.lastActivityAt = bucket.now();
        bucket.tallies.attach.record(bucket.now() - c.attachedAt);
    }

    private void endPin(ServerConnection c) {
        PinReason reason = c.pinReason;
        if (reason != null) {
            bucket.tallies.pinnedNanos.add(reason, bucket.now() - c.stageSince);
            c.pinReason = null;
        }
    }
}
