package dev.comporta.ops.config.bucket;

/** Which request is served next from a bucket's queue. */
public enum Fairness {
    /** The one that arrived first. */
    FIFO,
    /** The logins that wait take turns; within a login, in order of arrival. */
    LOGIN
}
