package dev.comporta.pool.state;

/** Why a request was refused. The carrier chooses the error number and text for the client. */
public enum Refusal {
    /** No slot is available, and the policy is not to wait. */
    POOL_EXHAUSTED,
    /** Waited for {@code queue_timeout}. */
    QUEUE_TIMEOUT,
    /** {@code max_queue_size} wait already. */
    QUEUE_FULL,
    /** The bucket is down, and its requests are not to wait. */
    SERVER_UNAVAILABLE,
    /** The server does not accept this pool's login. */
    LOGIN_REJECTED,
    /** The server does not answer this pool's login, and has never accepted it; it may answer others. */
    LOGIN_FAILED,
    /** The bucket or the pool was removed. */
    REMOVED
}
