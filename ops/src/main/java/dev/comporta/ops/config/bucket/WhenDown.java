package dev.comporta.ops.config.bucket;

/** What happens to a request while its bucket's server is down. */
public enum WhenDown {
    /** It queues, and the server is tried again and again. */
    WAIT,
    /** It is refused at once. */
    REFUSE
}
