package dev.comporta.ops.health;

/** The health of an instance or of a part of it. */
public enum Status {
    HEALTHY,
    /** Something it depends on fails, and it goes on serving as well as it can: other instances would do no better. */
    DEGRADED,
    /** It can't serve: clients should go to another instance. */
    UNHEALTHY
}
