package dev.comporta.ops.config.bucket;

/** Which host and application name a server sees in its sessions. */
public enum SessionIdentity {
    /** Comporta's own, so that all clients can share connections. */
    POOL,
    /** The client's, so that only clients that give the same names share. */
    CLIENT
}
