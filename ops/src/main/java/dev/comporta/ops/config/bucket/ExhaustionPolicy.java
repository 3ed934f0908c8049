package dev.comporta.ops.config.bucket;

/** What happens to a request when every connection of its bucket is in use. */
public enum ExhaustionPolicy {
    /** It queues. */
    WAIT,
    /** It is refused at once. */
    FAIL_FAST,
    /** A few short-lived connections beyond the limit are opened before it queues. */
    OVERFLOW
}
