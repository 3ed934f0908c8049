package dev.comporta.jdbc.dialect;

/** What a failed opening says. */
public enum OpeningTrouble {
    /** The server could not be reached, or did not answer. */
    UNREACHABLE,
    /** The server rejected the login, or what runs right after it: a failure of this pool. */
    REJECTED,
    /** The database can't be used yet, as after a failover. */
    NOT_READY,
    /** There were no credentials to log in with, so the server was not asked. */
    NO_CREDENTIALS,
    /** The server has as many connections as it takes: slow down and go on trying. */
    FULL
}
