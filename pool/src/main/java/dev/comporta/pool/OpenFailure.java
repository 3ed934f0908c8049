package dev.comporta.pool;

/** What went wrong when a connection was opened. */
public enum OpenFailure {
    /** The server could not be reached, or ended the connection before the login was answered. */
    UNREACHABLE,
    /** The server answered, and the answer was no: the pool's trouble, not the server's. */
    LOGIN_REJECTED
}
