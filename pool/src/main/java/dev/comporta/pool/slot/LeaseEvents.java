package dev.comporta.pool.slot;

import dev.comporta.pool.rate.ConnectPermits;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.Tuning;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** The events that the lease store reports to a bucket, each with its time. */
public final class LeaseEvents {
    private final Conditions conditions;
    private final Slots slots;
    private final ConnectPermits permits;
    private final BooleanSupplier waitedFor;
    private final Consumer<Tuning> retune;
    private final Runnable settle;

    /**
     * @param waitedFor whether a waiter needs a slot, and not only the reservoir
     * @param retune applies other settings to the bucket, and finishes the event
     * @param settle finishes the event
     */
    public LeaseEvents(
            Conditions conditions,
            Slots slots,
            ConnectPermits permits,
            BooleanSupplier waitedFor,
            Consumer<Tuning> retune,
            Runnable settle) {
        this.conditions = conditions;
        this.slots = slots;
        this.permits = permits;
        this.waitedFor = waitedFor;
        this.retune = retune;
        this.settle = settle;
    }

    public void granted(int n, long at) {
        happened(n, at, slots::granted);
    }

    /** This many of the slots that were asked for are not free, and wait in the fleet's line. */
    public void queued(int n, long at) {
        happened(n, at, slots::queued);
    }

    /** This many of the slots that were asked for are not available, and do not wait in line. */
    public void denied(int n, long at) {
        happened(n, at, denied -> slots.denied(denied, waitedFor.getAsBoolean()));
    }

    /** This many of the slots that were no longer needed have left the line. */
    public void withdrawn(int n, long at) {
        happened(n, at, slots::withdrawalConfirmed);
    }

    /** The lease of this many slots has expired: idle connections close now, others when they are released. */
    public void revoked(int n, long at) {
        happened(n, at, slots::revoke);
    }

    /** The fleet demands this many slots: the connections idle longest close now, or else the next to be released. */
    public void demanded(int n, long at) {
        happened(n, at, slots::demand);
    }

    /** The fleet's connect rate permits this many more connects, now. */
    public void connectsAllowed(int n, long at) {
        happened(n, at, permits::granted);
        permits.lapse();
    }

    /**
     * Another instance raised the limit: this bucket may have this many slots, even if its own settings say less. The
     * lease store still decides how many it gets.
     */
    public void limitRaised(int limit, long at) {
        Tuning before = conditions.tuning();
        if (Math.max(limit, before.settings.maxConnections()) != before.limit) {
            conditions.advance(at);
            retune.accept(new Tuning(before.settings, limit));
        }
    }

    private void happened(int n, long at, IntConsumer event) {
        if (n < 0) {
            throw new IllegalArgumentException("negative number of slots: " + n);
        }
        conditions.advance(at);
        event.accept(n);
        settle.run();
    }
}
