package dev.comporta.proxy.relay.known;

import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.TransactionTracker;

/**
 * A server's habits on one connection, as observed after the login. They depend on the TDS version of the connection as much
 * as on the server, so they are never carried over to another connection.
 */
public enum ServerHabits {
    /** Reports all transactions that begin or end, and nothing else: SQL Server from TDS 7.2 on, whose reset is as documented. */
    TELLS,
    /** Must be asked; a session begins without implicit transactions. Babelfish, and any server over TDS 7.1. */
    ASKED,
    /** Must be asked after every request: whether a session begins with implicit transactions is not known. */
    ASKED_ALWAYS;

    /** @@OPTIONS' bit for IMPLICIT_TRANSACTIONS, which a server may set for all logins (sp_configure 'user options'). */
    private static final int IMPLICIT_TRANSACTIONS = 2;

    /** Added to the answer by servers other than SQL Server. */
    private static final int OTHER_MAKE = 1;

    private static final String OUTCOME =
            "SELECT @@TRANCOUNT * 4 + (@@OPTIONS & " + IMPLICIT_TRANSACTIONS + ") + " + ServerMake.QUESTION;

    /** The same for TDS versions that can't report transactions. */
    public static final String TRY_OPTIONS = OUTCOME;

    /**
     * Begins and ends a transaction with another inside. A server that also reports the end of the inner one, as Babelfish
     * does for transaction manager requests, can't be relied on either.
     */
    public static final String TRY_TRANSACTION =
            "BEGIN TRANSACTION; BEGIN TRANSACTION; COMMIT TRANSACTION; ROLLBACK TRANSACTION; " + OUTCOME;

    /**
     * @param answer the answer to one of the two questions
     * @param told what the server has reported of transactions meanwhile
     */
    public static ServerHabits of(long answer, TransactionTracker told) {
        if ((answer & ~OTHER_MAKE) != 0) {
            return ASKED_ALWAYS;
        }
        return told.toldOfOne() ? TELLS : ASKED;
    }

    /** @param answer the answer to one of the two questions */
    public static ServerMake make(long answer) {
        return isOutside(answer) && (answer & OTHER_MAKE) == 0 ? ServerMake.SQL_SERVER : ServerMake.OTHER;
    }

    /** Whether the answer proves that no transaction is open. */
    public static boolean isOutside(long answer) {
        return (answer & ~(IMPLICIT_TRANSACTIONS | OTHER_MAKE)) == 0;
    }

    /** Whether a reset restores everything that is documented: the database and the session context. */
    public boolean resetsAll() {
        return this == TELLS;
    }

    /**
     * Whether the server must be asked for an open transaction before the connection can be shared: always, unless it reports
     * transactions, or the request is proven not to affect them. A connection inside a transaction is not shared, so there
     * only a request that may have ended it counts.
     *
     * @param mayBeImplicit whether any statement may have begun a transaction
     */
    public boolean mustAsk(RequestInspector request, ResponseTracker response, boolean mayBeImplicit) {
        if (response.transaction().isDoubted()) {
            return true;
        }
        return switch (this) {
            case TELLS -> false;
            case ASKED ->
                response.transaction().isOpen()
                        ? request.mayEndTransaction() || response.errors() > 0
                        : !request.leavesNothing() || mayBeImplicit;
            case ASKED_ALWAYS -> true;
        };
    }
}
