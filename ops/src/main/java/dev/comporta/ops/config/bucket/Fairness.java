package dev.comporta.ops.config.bucket;

/** Who is served next from a bucket's queue. */
public enum Fairness {
    /** Who came first. */
    FIFO,
    /** The logins that wait take turns; within a login, who came first. */
    LOGIN
}
