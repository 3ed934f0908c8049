package dev.comporta.pool.state;

/** What permits a connection to be open. */
public enum SlotHold {
    /** None: it may not be opened yet. */
    NONE,
    /** A slot of the bucket; free for the bucket's next use when the connection is closed. */
    OWNED,
    /** A slot that is given back to the fleet when the connection is closed. */
    OWED,
    /** A slot that was revoked. */
    REVOKED,
    /** No slot: the overflow policy permits it. */
    OVERFLOW
}
