package dev.comporta.ops.config.bucket;

/** What becomes of prepared statements when a client gets another server connection. */
public enum PreparedStatements {
    /** They follow the client: none pins. */
    SHARE,
    /** The client keeps its connection as long as it has any, and the server's choice of plans is untouched. */
    PIN
}
