package dev.comporta.pool.state;

/** Why a client must keep its server connection beyond its request. */
public enum PinReason {
    TRANSACTION,
    CURSOR,
    BULK_LOAD,
    TEMPORARY_TABLE,
    SESSION_LOCK,
    SESSION_CONTEXT,
    ROLE,
    PREPARED_STATEMENT,
    /** A procedure was called that the configuration does not have shared. */
    PROCEDURE,
    /** The next request may ask what this one left: @@IDENTITY, @@ROWCOUNT. */
    RESULT,
    /** The client can't share: its login or its protocol features are its own. */
    SESSION_MODE,
    /** Something was done that is not understood: safe rather than fast. */
    NOT_UNDERSTOOD
}
