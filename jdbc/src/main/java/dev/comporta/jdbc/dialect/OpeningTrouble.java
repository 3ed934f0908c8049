package dev.comporta.jdbc.dialect;

/** Why an opening failed. */
public enum OpeningTrouble {
    /** The server could not be reached, or did not answer. */
    UNREACHABLE,
    /** The server rejected the login, or what runs right after it: a failure of this pool. */
    REJECTED,
    /** The database can't be used yet, as after a failover. */
    NOT_READY,
    /** There were no credentials to log in with, so the server was not contacted. */
    NO_CREDENTIALS,
    /** The server has reached its connection limit: openings are tried again, more slowly. */
    FULL
}
