package dev.comporta.ops.health;

/** How an instance or a part of it is. */
public enum Status {
    HEALTHY,
    /** Something it needs is not there, and it serves all the same as well as it can: others would do no better. */
    DEGRADED,
    /** It can't serve: clients are better off elsewhere. */
    UNHEALTHY
}
