package dev.comporta.pool.state;

/** What went wrong when a connection was opened. */
public enum OpenFailure {
    /** The server could not be reached, or violated the protocol, before the login was sent. */
    UNREACHABLE,
    /** The server rejected the login: a failure of the pool, not of the server. */
    LOGIN_REJECTED,
    /**
     * The server rejected the login because the database that it asks for can't be used yet, as after a failover: a failure
     * of the pool. If the server has accepted this login before, its requests wait.
     */
    NOT_READY,
    /**
     * After the login was sent, the server closed the connection, did not answer, or violated the protocol. As long as the server
     * has never accepted this login, that is a failure of the pool: one login must not take the server away from the others.
     */
    LOGIN_FAILED,
    /**
     * The server has reached its connection limit, or accepts no more connections at present: neither a failure of the
     * server, which answers, nor of the pool, whose login was not judged. Requests wait, and openings slow down.
     */
    FULL,
    /** The login's secret could not be obtained, and the server was not contacted: a failure of the pool. Its requests wait. */
    NO_CREDENTIALS
}
