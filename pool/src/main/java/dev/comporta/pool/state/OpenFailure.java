package dev.comporta.pool.state;

/** What went wrong when a connection was opened. */
public enum OpenFailure {
    /** The server could not be reached, or made no sense before it was told who logs in. */
    UNREACHABLE,
    /** The server answered, and the answer was no: the pool's trouble, not the server's. */
    LOGIN_REJECTED,
    /**
     * The server was told who logs in, and then closed the connection, fell silent or made no sense. The pool's trouble, as
     * long as the server has never let this login in: what one login does must not take the server from the others.
     */
    LOGIN_FAILED
}
