package dev.comporta.pool.state;

/** Why a client must keep its server connection after its request. */
public enum PinReason {
    TRANSACTION,
    CURSOR,
    BULK_LOAD,
    TEMPORARY_TABLE,
    SESSION_LOCK,
    SESSION_CONTEXT,
    ROLE,
    PREPARED_STATEMENT,
    /** The client called a procedure that pins, according to the configuration. */
    PROCEDURE,
    /** The next request may ask for what this one left: @@IDENTITY, @@ROWCOUNT. */
    RESULT,
    /** The client can't share, because of its login or its protocol features. */
    SESSION_MODE,
    /** The client sent something that is not understood: pinned to be safe. */
    NOT_UNDERSTOOD
}
