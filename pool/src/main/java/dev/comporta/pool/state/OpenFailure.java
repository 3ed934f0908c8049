package dev.comporta.pool.state;

/** What went wrong when a connection was opened. */
public enum OpenFailure {
    /** The server could not be reached, or sent nonsense, before it was sent the login. */
    UNREACHABLE,
    /** The server rejected the login: a failure of the pool, not of the server. */
    LOGIN_REJECTED,
    /**
     * The server rejected the login because the database that it asks for can't be used yet, as after a failover: a failure
     * of the pool. If the server has accepted this login before, its requests wait.
     */
    NOT_READY,
    /**
     * After it was sent the login, the server closed the connection, did not answer, or sent nonsense. As long as the
     * server has never accepted this login, that is a failure of the pool: one login must not take the server away from
     * the others.
     */
    LOGIN_FAILED,
    /**
     * The server has as many connections as it takes, or lets no more in for now: neither a failure of the server, which
     * answers, nor of the pool, whose login was not judged. Requests wait, and openings slow down.
     */
    FULL,
    /**
     * The secret that the login needs could not be had, and the server was not asked: a failure of the pool. Its requests
     * wait.
     */
    NO_CREDENTIALS
}
