package dev.comporta.pool;

/**
 * Where the buckets' slots come from. Asynchronous: answers are events on the bucket, and may also be given from inside
 * the call.
 *
 * <p>Each slot asked for is answered once, by {@link Bucket#slotsGranted}, {@link Bucket#slotsDenied} or, after
 * {@link #withdraw}, {@link Bucket#slotsWithdrawn}; and before, where it may stand in line and none is free now, by
 * {@link Bucket#slotsQueued}.
 */
public interface LeasePort {
    /** How long an asker is willing to wait. */
    enum Patience {
        /** Grant or deny now. */
        AT_ONCE,
        /** If none is free, stand in the fleet's line for one. */
        IN_LINE
    }

    /** This bucket takes its slots from here from now on. Called once, while it is being made, on its maker's thread. */
    default void joined(Bucket bucket) {}

    /** Asks for slots. The bucket never asks for more than its own {@code max_connections}, held ones included. */
    void ask(Bucket bucket, int slots, Patience patience);

    /** So many of those asked for are not needed any more. A grant may cross this: its slot comes back at once. */
    void withdraw(Bucket bucket, int slots);

    /** So many slots are free again, for anyone. */
    void giveBack(Bucket bucket, int slots);

    /**
     * So many connections are closed whose slots were revoked by {@link Bucket#slotsRevoked}: each such slot is told of
     * once, here or, where its return crossed the news, by {@link #giveBack}. Until then the database counts them. (So who
     * revokes from inside an order must not grant from inside one: a new slot could be taken for one on its way back.)
     */
    default void revokedAreClosed(Bucket bucket, int slots) {}

    /**
     * The bucket has another {@code max_connections} now, by {@link Bucket#reconfigure}: that is the limit for all
     * instances from now on.
     */
    default void limitChanged(Bucket bucket) {}

    /** Whether the fleet shares one connect rate, so that leave to connect must be asked for, beside the bucket's own rate. */
    default boolean metersConnects() {
        return false;
    }

    /** Asks leave for so many connects. All are allowed in time, at once or in parts, by {@link Bucket#connectsAllowed}. */
    default void askConnects(Bucket bucket, int connects) {
        bucket.connectsAllowed(connects, bucket.now());
    }

    /**
     * To be called before each event on the bucket that may attach a client: takes from it what is no longer leased. An
     * instance that was stopped for a while learns of it here, before anything else happens.
     */
    default void enforce() {}
}
