package dev.comporta.ops.config.bucket;

/** Whose host and application a server sees in its sessions. */
public enum SessionIdentity {
    /** Comporta's own, so that clients share connections whoever they are. */
    POOL,
    /** The client's, so that only clients that give the same names share. */
    CLIENT
}
