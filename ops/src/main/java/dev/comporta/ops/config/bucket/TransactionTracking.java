package dev.comporta.ops.config.bucket;

/** How Comporta learns that a transaction began or ended at the server. */
public enum TransactionTracking {
    /** The server always reports it with ENVCHANGE, as SQL Server does. */
    ENVCHANGE,
    /** The server is asked for {@code @@TRANCOUNT} after each request that could have changed it. */
    PROBE,
    /** ENVCHANGE if the server has been seen to send it, otherwise PROBE. */
    AUTO
}
