package dev.comporta.pool.slot;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.list.Chain;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.state.SlotHold;
import dev.comporta.pool.stats.BucketSnapshot;

/**
 * The bucket's account with the lease store. No slot is hoarded: a slot that no connection needs is given back with the
 * event that freed it.
 */
public final class Slots {
    private final Conditions conditions;
    private final LeasePort leases;
    /** Slots of closing connections that were demanded, or are beyond the limit: given back when the connections are closed. */
    private final Chain<HeldSlot> owedLeaving = new Chain<>();

    /** Slots of this bucket, with or without a connection. */
    private int held;
    /** Held slots without a connection: only while an event is handled. */
    private int free;
    /** Asked for and not answered. */
    private int asked;
    /** Asked for, and waiting in the fleet's line. */
    private int inLine;
    /** Asked for, no longer needed, and not answered. */
    private int withdrawn;
    /** Demanded by the fleet, and not being given back yet. */
    private int owed;
    /** Revoked, and still used by a connection that is in use or being opened. */
    private int revoked;
    /** Held by connections that are being closed, and not kept afterwards. */
    private int leaving;
    /** Leaving slots that were revoked. */
    private int leavingRevoked;
    /** Connections open without a slot. */
    private int overflow;

    /** Whether the latest answer was that there are none. */
    private boolean denied;

    /** After a denial: when slots may be asked for again, for a waiter and for the reservoir. */
    private long retryAt;

    private long stockRetryAt;

    private long totalDemanded;

    public Slots(Conditions conditions, LeasePort leases) {
        this.conditions = conditions;
        this.leases = leases;
    }

    /** How many more slots may be asked for. */
    public int room() {
        return conditions.tuning().limit - held - outstanding();
    }

    /** Whether the fleet is known to have no more for now: the rest of the limit is held by other instances. */
    public boolean isShort() {
        return inLine > 0 || denied;
    }

    public int outstanding() {
        return asked + inLine + withdrawn;
    }

    /** How many slots the bucket holds beyond its limit, after the limit was lowered. */
    public int excess() {
        return held - leaving - conditions.tuning().limit;
    }

    private boolean isOverLimit() {
        return held - revoked - leavingRevoked > conditions.tuning().limit;
    }

    public boolean hasDebts() {
        return revoked > 0 || owed > 0 || excess() > 0;
    }

    public void ask(int n, LeasePort.Patience patience) {
        asked += n;
        leases.ask(n, patience);
    }

    void granted(int n) {
        held += n;
        free += n;
        denied = false;
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

    /** @param waitedFor whether a waiter needs a slot, and not only the reservoir */
    void denied(int n, boolean waitedFor) {
        denied = true;
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

    void revoke(int n) {
        int fromKept = Math.min(n, held - leaving - revoked);
        revoked += fromKept;
        revokeLeaving(n - fromKept);
    }

    /** Revokes slots that are about to be given back, too. Any more were given back before the bucket knew of the revocation. */
    private void revokeLeaving(int n) {
        HeldSlot slot = owedLeaving.first();
        for (int rest = n; rest > 0 && slot != null; rest--) {
            owedLeaving.remove(slot.owed);
            slot.hold = SlotHold.REVOKED;
            leavingRevoked++;
            slot = owedLeaving.first();
        }
    }

    void demand(int n) {
        totalDemanded += n;
        owed = Math.min(owed + Math.min(n, held), Math.max(0, held - leaving - revoked));
        // The reservoir must not ask at once for slots that were given up at the fleet's demand.
        stockRetryAt = conditions.now() + conditions.tuning().leaseRetryNanos;
    }

    /** Gives up what is owed, from slots without a connection. The slots left in {@link #free} may be used. */
    public void payFromFree() {
        // Slots that are being given back still count: a lowered limit holds for whatever is opened from now on.
        while (free > 0 && isOverLimit() && held - revoked - leaving > 0) {
            giveBackFree(1);
        }
        while (free > 0 && revoked > 0) {
            free--;
            held--;
            revoked--;
            leases.revokedAreClosed(1);
        }
        while (free > 0 && owed > 0) {
            owed--;
            giveBackFree(1);
        }
        revoked = Math.min(revoked, held - leaving);
        owed = Math.min(owed, Math.max(0, held - leaving - revoked));
    }

    public void giveBackFree(int n) {
        free -= n;
        held -= n;
        giveBack(n);
    }

    private void giveBack(int n) {
        leases.giveBack(n);
    }

    /** Leaves the fleet's line for this many slots. */
    public void withdraw(int n) {
        inLine -= n;
        withdrawn += n;
        leases.withdraw(n);
    }

    /** Gives up this idle connection's slot because slots are revoked; false if none are. */
    public boolean takeForRevocation(HeldSlot slot) {
        if (revoked == 0 || slot.hold != SlotHold.OWNED) {
            return false;
        }
        revoked--;
        leaving++;
        leavingRevoked++;
        slot.hold = SlotHold.REVOKED;
        return true;
    }

    public boolean takeForLimit(HeldSlot slot) {
        if (excess() <= 0 || slot.hold != SlotHold.OWNED) {
            return false;
        }
        leaving++;
        slot.hold = SlotHold.OWED;
        owedLeaving.add(slot.owed);
        return true;
    }

    public boolean takeForDemand(HeldSlot slot) {
        if (owed == 0 || slot.hold != SlotHold.OWNED) {
            return false;
        }
        owed--;
        leaving++;
        slot.hold = SlotHold.OWED;
        owedLeaving.add(slot.owed);
        return true;
    }

    /**
     * The connection is closed: its slot is free for the bucket's next use, goes back to the fleet, or is reported as
     * revoked.
     */
    public void release(HeldSlot slot) {
        switch (slot.hold) {
            case NONE -> {}
            case OWNED -> free++;
            case OWED -> {
                owedLeaving.remove(slot.owed);
                leaving--;
                held--;
                giveBack(1);
            }
            case REVOKED -> {
                leaving--;
                leavingRevoked--;
                held--;
                leases.revokedAreClosed(1);
            }
            case OVERFLOW -> overflow--;
        }
        slot.hold = SlotHold.NONE;
    }

    /** Gives a connection that is to be opened a free slot, or permission to be open without one. */
    public void assign(HeldSlot slot, SlotHold hold) {
        if (hold == SlotHold.OVERFLOW) {
            overflow++;
        } else {
            free--;
        }
        slot.hold = hold;
    }

    /** The slot of a closed connection goes to the connection that it was closed for. */
    public void pass(HeldSlot from, HeldSlot to) {
        if (from.hold == SlotHold.OWED) {
            owedLeaving.remove(from.owed);
            owedLeaving.add(to.owed);
        }
        to.hold = from.hold;
        from.hold = SlotHold.NONE;
    }

    public int held() {
        return held;
    }

    public int free() {
        return free;
    }

    public int asked() {
        return asked;
    }

    public int inLine() {
        return inLine;
    }

    public int revoked() {
        return revoked;
    }

    public int overflow() {
        return overflow;
    }

    public long retryAt() {
        return retryAt;
    }

    public long stockRetryAt() {
        return stockRetryAt;
    }

    public BucketSnapshot.SlotsSnapshot snapshot() {
        return new BucketSnapshot.SlotsSnapshot(held, asked, inLine, owed, revoked, totalDemanded);
    }
}
