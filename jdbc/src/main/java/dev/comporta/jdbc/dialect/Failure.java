package dev.comporta.jdbc.dialect;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Set;

/** SQLStates and error codes of one database, by what they mean for the pool. Immutable. */
record Failure(
        Set<String> lostStates,
        Set<Integer> lostCodes,
        Set<String> fullStates,
        Set<Integer> fullCodes,
        Set<String> notReadyStates,
        Set<Integer> notReadyCodes,
        Set<Integer> rejectedCodes) {
    /**
     * These count in addition to class 08. 01002 is a disconnect reported as a warning; JZ0C0 and JZ0C1 are jConnect's. Not
     * 0A000, feature not supported: PostgreSQL reports it for a cached plan after DDL, and the connection is usable.
     */
    private static final Set<String> LOST_ANYWHERE = Set.of("01002", "JZ0C0", "JZ0C1");

    /** An exception may carry others, by {@link SQLException#getNextException}; after this many it is a loop. */
    private static final int MOST_CHAINED = 100;

    static final Failure POSTGRESQL = new Failure(
            // Ended by the administrator, crash, shutdown; session, idle-in-transaction, transaction timeouts.
            Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "25P04"),
            Set.of(),
            // Too many connections; a configured limit, such as the connect rate of Aurora DSQL.
            Set.of("53300", "53400"),
            Set.of(),
            Set.of("57P03"),
            Set.of(),
            Set.of());

    static final Failure GENERIC = new Failure(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

    boolean isLost(SQLException failure) {
        SQLException e = failure;
        for (int i = 0; e != null && i < MOST_CHAINED; i++) {
            if (!(e instanceof SQLTimeoutException) && isLostItself(e)) {
                return true;
            }
            e = e.getNextException();
        }
        return false;
    }

    private boolean isLostItself(SQLException e) {
        String state = e.getSQLState();
        if (state != null && (state.startsWith("08") || LOST_ANYWHERE.contains(state) || lostStates.contains(state))) {
            return true;
        }
        return lostCodes.contains(e.getErrorCode());
    }

    OpeningTrouble ofOpening(SQLException e) {
        if (e instanceof NoCredentialsException) {
            return OpeningTrouble.NO_CREDENTIALS;
        }
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        int code = e.getErrorCode();
        if (fullStates.contains(state) || fullCodes.contains(code)) {
            return OpeningTrouble.FULL;
        }
        if (notReadyStates.contains(state) || notReadyCodes.contains(code)) {
            return OpeningTrouble.NOT_READY;
        }
        // 08004: the server was reached and rejected the connection. 28: authorization. 3D: no such database.
        // 42: no right to it, or a connectionInitSql that the server does not understand.
        boolean rejected = rejectedCodes.contains(code)
                || state.equals("08004")
                || state.startsWith("28")
                || state.startsWith("3D")
                || state.startsWith("42");
        return rejected ? OpeningTrouble.REJECTED : OpeningTrouble.UNREACHABLE;
    }
}
