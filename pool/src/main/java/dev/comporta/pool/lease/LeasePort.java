package dev.comporta.pool.lease;

/**
 * A bucket's calls to the store that leases its slots. Each bucket has one port for its whole life, and calls it on its
 * thread. A call may grant something by its return value; all other answers come later, as {@link SlotAnswers}.
 */
public interface LeasePort {
    /** Whether a request for slots may wait. */
    enum Patience {
        /** Grant or deny now. */
        AT_ONCE,
        /** If none is free, wait in the fleet's line for one. */
        IN_LINE
    }

    /** The bucket is made, and can take answers from now on. Called once, on the thread that makes it. */
    default void joined() {}

    /**
     * Asks for slots. The bucket never asks for more than its {@code max_connections}, including those that it holds.
     *
     * @return how many of them are granted with this call; the others are answered later
     */
    int ask(int slots, Patience patience);

    /**
     * This many of the slots that were asked for are no longer needed. A slot that is granted before the store gets this
     * call is given back at once.
     */
    void withdraw(int slots);

    /** Gives back this many slots. */
    void giveBack(int slots);

    /**
     * Reports that this many connections with {@link SlotAnswers#revoked} slots are closed; until then the database counts
     * them. Each revoked slot is reported once: here, or by {@link #giveBack} if it was on its way back when it was
     * revoked. (So a store that revokes from inside an order must not grant from inside one: a new slot could be mistaken
     * for one that is being given back.)
     */
    default void revokedAreClosed(int slots) {}

    /** The bucket was reconfigured with another {@code max_connections}: from now on that is the limit of all instances. */
    default void limitChanged(int maxConnections) {}

    /** Whether the fleet shares one connect rate, so that connects need permits, in addition to the bucket's own rate. */
    default boolean metersConnects() {
        return false;
    }

    /**
     * Asks for connect permits. One that is not used when it is granted expires.
     *
     * @return how many are granted with this call; the others follow by {@link LeasedBucket#connectsAllowed}
     */
    default int askConnects(int connects) {
        return connects;
    }

    /**
     * Revokes slots whose lease has expired. Called before each event that may attach a client: so an instance that was
     * paused finds out before anything else happens.
     */
    default void enforce() {}
}
