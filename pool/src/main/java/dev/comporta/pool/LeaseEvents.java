package dev.comporta.pool;

import dev.comporta.pool.settings.Tuning;

/** What the lease store reports to a bucket: events with their time, as those of {@link Bucket}. */
public final class LeaseEvents {
    private final Bucket bucket;
    private final Conditions conditions;
    private final Slots slots;

    LeaseEvents(Bucket bucket) {
        this.bucket = bucket;
        conditions = bucket.conditions;
        slots = bucket.slots;
    }

    public void granted(int n, long at) {
        advance(n, at);
        slots.granted(n);
        bucket.settle();
    }

    /** None is free for so many of the slots asked for: they wait in the fleet's line. */
    public void queued(int n, long at) {
        advance(n, at);
        slots.queued(n);
        bucket.settle();
    }

    /** So many of the slots asked for are not available, and don't wait in line. */
    public void denied(int n, long at) {
        advance(n, at);
        slots.denied(n, bucket.ledger.hungryWaiters > 0);
        bucket.settle();
    }

    /** So many of the slots that were not needed any more have left the line. */
    public void withdrawn(int n, long at) {
        advance(n, at);
        slots.withdrawalConfirmed(n);
        bucket.settle();
    }

    /** The lease of so many slots has ended: idle connections close now, others when they are released. */
    public void revoked(int n, long at) {
        advance(n, at);
        slots.revoke(n, bucket.ledger);
        bucket.settle();
    }

    /** The fleet wants so many slots back: the longest idle connections close now, else the next to be released. */
    public void demanded(int n, long at) {
        advance(n, at);
        slots.demand(n);
        bucket.settle();
    }

    /** The fleet's connect rate permits so many connects more. */
    public void connectsAllowed(int n, long at) {
        advance(n, at);
        bucket.openings.permits.granted(n);
        bucket.settle();
    }

    /**
     * The limit was changed at another instance: this bucket may have so many, where its own settings say less. How many it
     * gets is up to the lease store, as ever.
     */
    public void limitRaised(int limit, long at) {
        Tuning before = conditions.tuning();
        if (Math.max(limit, before.settings.maxConnections()) != before.limit) {
            conditions.advance(at);
            bucket.control().retune(new Tuning(before.settings, limit));
        }
    }

    private void advance(int n, long at) {
        if (n < 0) {
            throw new IllegalArgumentException("There are no " + n + " slots");
        }
        conditions.advance(at);
    }
}
