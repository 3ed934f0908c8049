package dev.comporta.ops.config.proxy;

/** How long a client keeps a server connection. */
public enum PoolMode {
    /** For one request or transaction, or as long as something pins it. */
    TRANSACTION,
    /** From its login until it leaves. */
    SESSION
}
