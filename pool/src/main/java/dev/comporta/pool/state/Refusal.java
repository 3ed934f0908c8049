package dev.comporta.pool.state;

/** Why a request was refused. What the client is told, and by which number, is the carrier's to know. */
public enum Refusal {
    /** No slot can be had and the policy is not to wait. */
    POOL_EXHAUSTED,
    /** Waited for {@code queue_timeout}. */
    QUEUE_TIMEOUT,
    /** {@code max_queue_size} wait already. */
    QUEUE_FULL,
    /** The bucket is down. */
    SERVER_UNAVAILABLE,
    /** The server does not accept this pool's login. */
    LOGIN_REJECTED,
    /** The server does not answer this pool's login, and never did; others it may. */
    LOGIN_FAILED,
    /** The bucket or the pool was removed. */
    REMOVED
}
