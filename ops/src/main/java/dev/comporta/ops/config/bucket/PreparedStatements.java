package dev.comporta.ops.config.bucket;

/** Whether prepared statements pin their client. */
public enum PreparedStatements {
    /** No: they are prepared again on the next server connection, or sent as text. */
    SHARE,
    /** Yes, as long as the client has any: the server's choice of plans is not affected. */
    PIN
}
