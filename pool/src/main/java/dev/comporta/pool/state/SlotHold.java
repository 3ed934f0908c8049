package dev.comporta.pool.state;

/** By what right a connection may be open. */
public enum SlotHold {
    /** None: it may not be opened yet. */
    NONE,
    /** A slot of the bucket; free for the bucket's next use when the connection is gone. */
    OWNED,
    /** A slot that goes back to the fleet when the connection is gone. */
    OWED,
    /** A slot that is not the bucket's any more: nobody gets it back. */
    REVOKED,
    /** The overflow policy's leave to be open without a slot. */
    OVERFLOW
}
