package dev.comporta.pool.slot;

import dev.comporta.pool.rate.ConnectPermits;
import dev.comporta.pool.settings.Conditions;
import dev.comporta.pool.settings.Tuning;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What the lease store reports to a bucket: events with their time, as those of the bucket's own. */
public final class LeaseEvents {
    private final Conditions conditions;
    private final Slots slots;
    private final ConnectPermits permits;
    private final BooleanSupplier waitedFor;
    private final Consumer<Tuning> retune;
    private final Runnable settle;

    /**
     * @param waitedFor whether a waiter needs a slot, not the reservoir alone
     * @param retune has the bucket go by other settings, and settles
     * @param settle does what the event makes possible or necessary
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
        advance(n, at);
        slots.granted(n);
        settle.run();
    }

    /** None is free for so many of the slots asked for: they wait in the fleet's line. */
    public void queued(int n, long at) {
        advance(n, at);
        slots.queued(n);
        settle.run();
    }

    /** So many of the slots asked for are not available, and don't wait in line. */
    public void denied(int n, long at) {
        advance(n, at);
        slots.denied(n, waitedFor.getAsBoolean());
        settle.run();
    }

    /** So many of the slots that were not needed any more have left the line. */
    public void withdrawn(int n, long at) {
        advance(n, at);
        slots.withdrawalConfirmed(n);
        settle.run();
    }

    /** The lease of so many slots has ended: idle connections close now, others when they are released. */
    public void revoked(int n, long at) {
        advance(n, at);
        slots.revoke(n);
        settle.run();
    }

    /** The fleet wants so many slots back: the longest idle connections close now, else the next to be released. */
    public void demanded(int n, long at) {
        advance(n, at);
        slots.demand(n);
        settle.run();
    }

    /** The fleet's connect rate permits so many connects more. */
    public void connectsAllowed(int n, long at) {
        advance(n, at);
        permits.granted(n);
        settle.run();
    }

    /**
     * The limit was changed at another instance: this bucket may have so many, where its own settings say less. How many it
     * gets is up to the lease store, as ever.
     */
    public void limitRaised(int limit, long at) {
        Tuning before = conditions.tuning();
        if (Math.max(limit, before.settings.maxConnections()) != before.limit) {
            conditions.advance(at);
            retune.accept(new Tuning(before.settings, limit));
        }
    }

    private void advance(int n, long at) {
        if (n < 0) {
            throw new IllegalArgumentException("There are no " + n + " slots");
        }
        conditions.advance(at);
    }
}
