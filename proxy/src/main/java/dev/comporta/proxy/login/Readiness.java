package dev.comporta.proxy.login;

/** What the errors in a server's response to a login say about the server, apart from the login. */
public enum Readiness {
    /** Nothing: the server is usable. */
    READY,
    /** The requested database can't be used now, or not on this server. */
    DATABASE_NOT_READY,
    /** The server accepts no more connections for now, of any login. */
    FULL,
    /** The server can't be used now. */
    SERVER_NOT_READY;

    /** @param number the number of an error */
    static Readiness toldBy(int number) {
        return switch (number) {
            // The database has not been recovered yet, is being recovered or restored, or changes its state.
            case 921, 922, 927, 952 -> DATABASE_NOT_READY;
            // It is a mirror, or lacks a quorum.
            case 954, 955 -> DATABASE_NOT_READY;
            // The replica in the availability group does not accept connections to it, or lacks a quorum.
            case 976, 983, 988 -> DATABASE_NOT_READY;
            // It can't be opened: the login's error in all of these cases, and when there is no such database.
            case 4060 -> DATABASE_NOT_READY;
            // Azure SQL: the database moves to another server.
            case 40197, 40613 -> DATABASE_NOT_READY;
            // Azure SQL: a secondary that is being made readable.
            case 4221 -> DATABASE_NOT_READY;
            // Babelfish, for errors that SQL Server does not have: PostgreSQL is full, starts, recovers or stops.
            // It may concern this login alone, so it says nothing of the whole server.
            case 33557097 -> DATABASE_NOT_READY;
            // As many user connections as sp_configure allows, or no thread for one more.
            case 17809, 17189 -> FULL;
            // Azure SQL: the sessions or workers of the database, of its guarantee or of the elastic pool are used up.
            case 10928, 10929, 10936 -> FULL;
            // Azure SQL: the service is too busy, or the subscription has too many operations in progress.
            case 40501, 49918, 49920 -> FULL;
            // The server is stopping, paused, starting or upgrading.
            case 6005, 17142, 17187, 18401 -> SERVER_NOT_READY;
            default -> READY;
        };
    }

    /** Whether another server, or another address of this one, may accept the login. */
    public boolean mayBeElsewhere() {
        return this == DATABASE_NOT_READY || this == SERVER_NOT_READY;
    }

    Readiness and(Readiness other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
