package dev.comporta.pool.lease;

/**
 * What a bucket asks of the store that leases its slots. One port for each bucket and its life; called on the bucket's
 * thread. The answers come later, as {@link SlotAnswers}, but for what a call grants by its return value.
 */
public interface LeasePort {
    /** How long an asker is willing to wait. */
    enum Patience {
        /** Grant or deny now. */
        AT_ONCE,
        /** If none is free, wait in the fleet's line for one. */
        IN_LINE
    }

    /** The bucket is made, and takes answers from now on. Called once, on its maker's thread. */
    default void joined() {}

    /**
     * Asks for slots. The bucket never asks for more than its own {@code max_connections}, held ones included.
     *
     * @return how many of them are granted with this call; the others are answered later
     */
    int ask(int slots, Patience patience);

    /** So many of those asked for are not needed any more. A grant may cross this: its slot is given back at once. */
    void withdraw(int slots);

    /** So many slots are free again, for anyone. */
    void giveBack(int slots);

    /**
     * So many connections are closed whose slots were {@link SlotAnswers#revoked}: each such slot is reported once, here or,
     * where its return crossed the revocation, by {@link #giveBack}. Until then the database counts them. (So a store that
     * revokes from inside an order must not grant from inside one: a new slot could be taken for one on its way back.)
     */
    default void revokedAreClosed(int slots) {}

    /** The bucket was reconfigured with another {@code max_connections}: that is the limit for all instances from now on. */
    default void limitChanged(int maxConnections) {}

    /** Whether the fleet shares one connect rate, so that permits must be asked for, beside the bucket's own rate. */
    default boolean metersConnects() {
        return false;
    }

    /**
     * Asks for connect permits.
     *
     * @return how many are granted with this call; the others follow by {@link LeasedBucket#connectsAllowed}
     */
    default int askConnects(int connects) {
        return connects;
    }

    /**
     * Revokes slots whose lease has ended by the clock. Called before each event that may attach a client: an instance that
     * was stopped for a while learns of it here, before anything else happens.
     */
    default void enforce() {}
}
