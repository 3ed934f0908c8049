package dev.comporta.pool.state;

/** Why a server connection ended. */
public enum CloseReason {
    /** Idle for longer than {@code max_idle_time}. */
    IDLE,
    /** Its lifetime has ended, or ends within the guard window. */
    LIFETIME,
    /** Its slot was needed for the oldest waiter, of another pool. */
    SLOT_NEEDED,
    /** The fleet demanded a slot back. */
    DEMANDED,
    /** Its slot was revoked. */
    REVOKED,
    /** The bucket's or login's limit was lowered. */
    LIMIT_LOWERED,
    /** A connection beyond the limit, no longer needed. */
    OVERFLOW,
    /** A check failed, or was not answered in time. */
    VALIDATION_FAILED,
    /** A reset failed, or was not answered in time. */
    RESET_FAILED,
    /** A client left something in it that no reset undoes, such as an application role: no reset was tried. */
    NOT_RESETTABLE,
    /** It was not opened within {@code connection_timeout}. */
    CONNECT_TIMEOUT,
    /** It could not be opened. */
    CONNECT_FAILED,
    /** The server rejected the login. */
    LOGIN_REJECTED,
    /** The network or the server ended it, or what the server sent made no sense. */
    LOST,
    /** The server did not end its side of an ordered close in time: it may still count the session. */
    END_UNSEEN,
    /** All connections of the bucket are being replaced. */
    RECONNECT,
    /** The pool or the bucket was removed. */
    REMOVED,
    /** Wanted, but not needed any more before it was opened. */
    NOT_NEEDED
}
