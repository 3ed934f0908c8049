package dev.comporta.proxy.relay.known;

import dev.comporta.proxy.relay.request.RequestInspector;
import dev.comporta.proxy.relay.response.ResponseTracker;
import dev.comporta.proxy.relay.response.TransactionTracker;

/**
 * What a server was seen to do on one connection, when it was tried after the login. It depends on the TDS version of the
 * connection as much as on the server, so it is never carried over from one connection to another.
 */
public enum ServerHabits {
    /**
     * Tells of every transaction that begins or ends, and only of those: SQL Server from TDS 7.2 on. What is documented of
     * its reset can be relied on too.
     */
    TELLS,
    /** Has to be asked; a session begins without implicit transactions. Babelfish, and any server over TDS 7.1. */
    ASKED,
    /** Has to be asked, after every request: whether a session begins with implicit transactions is not known. */
    ASKED_ALWAYS;

    /** @@OPTIONS' bit for IMPLICIT_TRANSACTIONS, which a server may set for all logins (sp_configure 'user options'). */
    private static final int IMPLICIT_TRANSACTIONS = 2;

    /** Added to the answer by a server of another make than SQL Server. */
    private static final int OTHER_MAKE = 1;

    private static final String OUTCOME =
            "SELECT @@TRANCOUNT * 4 + (@@OPTIONS & " + IMPLICIT_TRANSACTIONS + ") + " + ServerMake.QUESTION;

    /** The same, where the version has no words to tell of transactions. */
    public static final String TRY_OPTIONS = OUTCOME;

    /**
     * Begins and ends a transaction, with another inside of it: a server that tells of the inner one's end as well, as
     * Babelfish does for transaction manager requests, can't be believed either.
     */
    public static final String TRY_TRANSACTION =
            "BEGIN TRANSACTION; BEGIN TRANSACTION; COMMIT TRANSACTION; ROLLBACK TRANSACTION; " + OUTCOME;

    /**
     * @param answer to one of the two questions
     * @param told what the server has told beside it
     */
    public static ServerHabits of(long answer, TransactionTracker told) {
        if ((answer & ~OTHER_MAKE) != 0) {
            return ASKED_ALWAYS;
        }
        return told.toldOfOne() ? TELLS : ASKED;
    }

    /** @param answer to one of the two questions */
    public static ServerMake make(long answer) {
        return isOutside(answer) && (answer & OTHER_MAKE) == 0 ? ServerMake.SQL_SERVER : ServerMake.OTHER;
    }

    /** Whether the answer leaves no doubt that no transaction is open. */
    public static boolean isOutside(long answer) {
        return (answer & ~(IMPLICIT_TRANSACTIONS | OTHER_MAKE)) == 0;
    }

    /** Whether a reset puts back all that it is documented to put back: the database, and the session context. */
    public boolean resetsAll() {
        return this == TELLS;
    }

    /**
     * Whether the server has to be asked for its transaction before the connection can be shared: always, unless it tells, or
     * the request is proven not to have touched it. A connection inside a transaction is not shared, so there only what may
     * have ended it counts.
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
