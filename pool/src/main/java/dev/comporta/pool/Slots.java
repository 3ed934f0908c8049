package dev.comporta.pool;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.state.SlotHold;

/**
 * The bucket's account with the lease store. No slot is hoarded: one that no connection needs goes back with the event
 * that freed it.
 */
final class Slots {
    private final Conditions conditions;
    private final OrderRing ring;

    /** Ours, whether a connection has them or they are {@link #free}. */
    int held;
    /** Of those, without a connection: only while an event is being handled. */
    int free;
    /** Asked for and not answered. */
    int asked;
    /** Asked for, and standing in the fleet's line. */
    int inLine;
    /** Asked for, not needed any more, and not answered. */
    int withdrawn;
    /** Demanded by the fleet, and not yet on their way back. */
    int owed;
    /** Revoked, and still under a connection that is in use or being opened. */
    int revoked;
    /** Held by connections that are being closed, and not ours afterwards. */
    int leaving;
    /** Of those, not ours already. */
    private int leavingRevoked;
    /** Connections open without a slot. */
    int overflow;

    /** After a denial: not before then for a waiter, nor for the reservoir. */
    long retryAt;

    long stockRetryAt;

    long totalAsked;
    long totalGranted;
    long totalDenied;
    long totalRevoked;
    long totalDemanded;
    long totalGivenBack;

    Slots(Conditions conditions, OrderRing ring) {
        this.conditions = conditions;
        this.ring = ring;
    }

    /** How many more may be asked for. */
    int room() {
        return conditions.tuning().limit - held - outstanding();
    }

    int outstanding() {
        return asked + inLine + withdrawn;
    }

    /** More than the limit allows, after it was lowered. */
    int excess() {
        return held - leaving - conditions.tuning().limit;
    }

    private boolean isOverLimit() {
        return held - revoked - leavingRevoked > conditions.tuning().limit;
    }

    boolean hasDebts() {
        return revoked > 0 || owed > 0 || excess() > 0;
    }

    void ask(int n, LeasePort.Patience patience) {
        asked += n;
        totalAsked += n;
        ring.ask(n, patience);
    }

    void granted(int n) {
        totalGranted += n;
        held += n;
        free += n;
        int rest = n;
        int fromAsked = Math.min(rest, asked);
        asked -= fromAsked;
        rest -= fromAsked;
        int fromLine = Math.min(rest, inLine);
        inLine -= fromLine;
        rest -= fromLine;
        withdrawn -= Math.min(rest, withdrawn);
    }

    void queued(int n) {
        int moved = Math.min(n, asked);
        asked -= moved;
        inLine += moved;
    }

    /** @param waitedFor whether a waiter needs a slot, not the reservoir alone */
    void denied(int n, boolean waitedFor) {
        totalDenied += n;
        stockRetryAt = conditions.now() + conditions.tuning().leaseRetryNanos;
        if (waitedFor) {
            retryAt = stockRetryAt;
        }
        int fromAsked = Math.min(n, asked);
        asked -= fromAsked;
        int rest = n - fromAsked;
        int fromLine = Math.min(rest, inLine);
        inLine -= fromLine;
        withdrawn -= Math.min(rest - fromLine, withdrawn);
    }

    void withdrawalConfirmed(int n) {
        int fromWithdrawn = Math.min(n, withdrawn);
        withdrawn -= fromWithdrawn;
        int rest = n - fromWithdrawn;
        int fromLine = Math.min(rest, inLine);
        inLine -= fromLine;
        asked -= Math.min(rest - fromLine, asked);
    }

    void revoke(int n, Ledger ledger) {
        totalRevoked += n;
        int fromKept = Math.min(n, held - leaving - revoked);
        revoked += fromKept;
        revokeLeaving(n - fromKept, ledger);
    }

    /** Slots about to be given back are revoked too. Of any more than that, the return has crossed the revocation. */
    private void revokeLeaving(int n, Ledger ledger) {
        int rest = n;
        for (int i = 0; i < ledger.connections() && rest > 0; i++) {
            ServerConnection c = ledger.connection(i);
            if (c.hold == SlotHold.OWED) {
                c.hold = SlotHold.REVOKED;
                leavingRevoked++;
                rest--;
            }
        }
    }

    void demand(int n) {
        totalDemanded += n;
        owed = Math.min(owed + Math.min(n, held), Math.max(0, held - leaving - revoked));
        // What was given up at the fleet's demand must not be asked back by the reservoir at once.
        stockRetryAt = conditions.now() + conditions.tuning().leaseRetryNanos;
    }

    /** Pays debts with slots that no connection has; then {@link #free} is what may be used. */
    void payFromFree() {
        // Those on their way back still count: a limit that was lowered holds for what is opened from now on.
        while (free > 0 && isOverLimit() && held - revoked - leaving > 0) {
            giveBackFree(1);
        }
        while (free > 0 && revoked > 0) {
            free--;
            held--;
            revoked--;
            ring.revokedAreClosed(1);
        }
        while (free > 0 && owed > 0) {
            owed--;
            giveBackFree(1);
        }
        revoked = Math.min(revoked, held - leaving);
        owed = Math.min(owed, Math.max(0, held - leaving - revoked));
    }

    void giveBackFree(int n) {
        free -= n;
        held -= n;
        giveBack(n);
    }

    private void giveBack(int n) {
        totalGivenBack += n;
        ring.giveBack(n);
    }

    /** Stops standing in line for so many. */
    void withdraw(int n) {
        inLine -= n;
        withdrawn += n;
        ring.withdraw(n);
    }

    /** A debt that this connection, which nobody uses now, must pay with its slot; it then closes for that reason. */
    boolean takeForRevocation(ServerConnection c) {
        if (revoked == 0 || c.hold != SlotHold.OWNED) {
            return false;
        }
        revoked--;
        leaving++;
        leavingRevoked++;
        c.hold = SlotHold.REVOKED;
        return true;
    }

    boolean takeForLimit(ServerConnection c) {
        if (excess() <= 0 || c.hold != SlotHold.OWNED) {
            return false;
        }
        leaving++;
        c.hold = SlotHold.OWED;
        return true;
    }

    boolean takeForDemand(ServerConnection c) {
        if (owed == 0 || c.hold != SlotHold.OWNED) {
            return false;
        }
        owed--;
        leaving++;
        c.hold = SlotHold.OWED;
        return true;
    }

    /** The connection is gone: its slot goes to its heir, to the bucket, to the fleet, or is lost. */
    void release(ServerConnection c) {
        switch (c.hold) {
            case NONE -> {}
            case OWNED -> free++;
            case OWED -> {
                leaving--;
                held--;
                giveBack(1);
            }
            case REVOKED -> {
                leaving--;
                leavingRevoked--;
                held--;
                ring.revokedAreClosed(1);
            }
            case OVERFLOW -> overflow--;
        }
        c.hold = SlotHold.NONE;
    }
}
