package dev.comporta.ops.config.bucket;

/** How it is known that a transaction began or ended at the server. */
public enum TransactionTracking {
    /** The server always says so by ENVCHANGE, as SQL Server does. */
    ENVCHANGE,
    /** The server is asked for {@code @@TRANCOUNT} after each request that could have changed it. */
    PROBE,
    /** ENVCHANGE where the server is seen to send it, otherwise asking. */
    AUTO
}
