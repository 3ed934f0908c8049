package dev.comporta.tds.sql;

/** Something in a text that decides whether its client may be detached after it. */
@SuppressWarnings("EnumOrdinal") // a bit per finding, never stored nor sent
public enum Finding {
    /** BEGIN TRANSACTION in any spelling: the connection is inside a transaction unless the server reports otherwise. */
    BEGINS_TRANSACTION(Effect.TRANSACTION),
    /** COMMIT or ROLLBACK. A ROLLBACK may be one to a savepoint, so it does not prove that the transaction has ended. */
    ENDS_TRANSACTION(Effect.TRANSACTION),
    SAVES_TRANSACTION(Effect.TRANSACTION),
    /** A statement that opens a transaction when IMPLICIT_TRANSACTIONS is ON. */
    OPENS_IMPLICIT_TRANSACTION(Effect.NONE),

    /** At least one option was set for certain, to a constant: see {@link SqlFindings#setCount}. */
    SETS_OPTION(Effect.NONE),
    /** An option was set to a variable or an expression, so its value is not in the text. */
    SETS_OPTION_FROM_VARIABLE(Effect.PIN),
    /** An option was set under IF, WHILE, TRY, or after a statement that may have left the batch. */
    SETS_OPTION_PERHAPS(Effect.PIN),
    /** An option was left at a value that can't be replayed elsewhere: SHOWPLAN, NOEXEC, IDENTITY_INSERT t ON. */
    SETS_UNREPLAYABLE_OPTION(Effect.PIN),
    /**
     * An option was set in an inner text, certainly or not. SQL Server restores it when the text ends; Babelfish does not if the
     * text is that of a call.
     */
    SETS_OPTION_INSIDE(Effect.NONE),
    /** As above, and the option is IMPLICIT_TRANSACTIONS, or ANSI_DEFAULTS which includes it. */
    SETS_IMPLICIT_INSIDE(Effect.NONE),
    /** IDENTITY_INSERT was turned on, in whichever text, turned off again or not: Babelfish's reset leaves it on. */
    SETS_IDENTITY_INSERT(Effect.NONE),
    /** USE. The server confirms it with ENVCHANGE 1, so a conditional one needs nothing more. */
    CHANGES_DATABASE(Effect.NONE),

    /** CREATE or SELECT INTO of a name that begins with # (table, procedure, key), not surely dropped by the same text. */
    CREATES_TEMPORARY(Effect.PIN),
    /**
     * A temporary table was made and surely dropped by the same text, which has no transaction of its own. It exists again if
     * the drop is rolled back, by this request or a later one, possibly to a savepoint: so this pins like {@link
     * #CREATES_TEMPORARY} if a transaction was, or may have been, open in the course of the text. IMPLICIT_TRANSACTIONS that
     * may be ON count as a transaction.
     */
    DROPS_OWN_TEMPORARY(Effect.NONE),
    /**
     * A local table was made in an inner text, and not surely dropped by it. SQL Server drops it when the text ends; Babelfish
     * does not.
     */
    CREATES_TEMPORARY_INSIDE(Effect.NONE),
    /** Any mention of such a name. If it is only used, the object exists only if the client is pinned for it already. */
    USES_TEMPORARY(Effect.NONE),

    /** A global cursor was declared and not surely deallocated by the same text. */
    LEAVES_CURSOR(Effect.PIN),
    /** OPEN, FETCH, CLOSE or DEALLOCATE of a named cursor, or a read of its state. */
    USES_CURSOR(Effect.NONE),

    /** A procedure is called by name: see {@link SqlFindings#procedureCount}. */
    CALLS_PROCEDURE(Effect.OPAQUE),
    /** EXEC of a string or of a procedure named by a variable: the text that runs is unknown, unless it is a constant. */
    DYNAMIC_SQL(Effect.OPAQUE),
    /** CREATE or ALTER of a procedure, function, trigger or view: its body does not run now. */
    DEFINES_MODULE(Effect.NONE),

    /** EXECUTE AS or SETUSER as a statement: the session runs as another user from here on. */
    IMPERSONATES(Effect.PIN),
    REVERTS_IMPERSONATION(Effect.NONE),
    /** sp_getapplock with an owner that is, or may be, the session. */
    LOCKS_APPLICATION(Effect.PIN),
    UNLOCKS_APPLICATION(Effect.NONE),
    SETS_SESSION_CONTEXT(Effect.PIN),
    SETS_CONTEXT_INFO(Effect.PIN),
    /** sp_setapprole: not undone by a reset, so the connection can never be shared again. */
    SETS_APPLICATION_ROLE(Effect.PIN),
    /** sp_prepare and related procedures called by text: the handle is in the text's own variables. */
    PREPARES_BY_TEXT(Effect.PIN),
    /** sp_cursoropen and related procedures called by text. */
    CURSOR_BY_TEXT(Effect.PIN),
    BINDS_SESSION(Effect.PIN),
    /** sp_xml_preparedocument: a handle that lives as long as the session. */
    PREPARES_XML(Effect.PIN),
    /** OPEN SYMMETRIC KEY or OPEN MASTER KEY. */
    OPENS_KEY(Effect.PIN),
    /** DBCC TRACEON. */
    SETS_TRACE_FLAG(Effect.PIN),
    /** A system procedure that ties the session to replication, tracing or debugging. */
    OTHER_SESSION_PROCEDURE(Effect.PIN),
    /**
     * sp_reset_connection called by its name: from there on the session is as after a RESETCONNECTION bit. Drivers send it
     * as a request of its own; whether it may be called from a text at all depends on the server.
     */
    RESETS_SESSION(Effect.NONE),

    /** INSERT BULK, WRITETEXT BULK or UPDATETEXT BULK: the data message that follows must go to the same connection. */
    INSERT_BULK(Effect.NEXT_REQUEST),

    /** @@IDENTITY or SCOPE_IDENTITY(). */
    READS_IDENTITY(Effect.NONE),
    /** The same, before any statement of this text could have set one: it returns the previous request's. */
    READS_PREVIOUS_IDENTITY(Effect.PREVIOUS_REQUEST),
    /** @@ROWCOUNT, ROWCOUNT_BIG() or @@ERROR. */
    READS_RESULT(Effect.NONE),
    /** The same, in the first statement of this text: it returns the previous request's. */
    READS_PREVIOUS_RESULT(Effect.PREVIOUS_REQUEST),
    /** @@SPID: the answer differs between server connections. */
    READS_SPID(Effect.NONE),
    /** @@TRANCOUNT or XACT_STATE(). */
    READS_TRANSACTION_STATE(Effect.NONE),
    /** CONTEXT_INFO() or SESSION_CONTEXT(). */
    READS_SESSION_CONTEXT(Effect.NONE),
    /** @@OPTIONS, @@LANGUAGE, @@DATEFIRST…: correct as long as the session state was replayed. */
    READS_OPTIONS(Effect.NONE),

    /** The text is not entirely understood: see {@link SqlFindings#doubt}. */
    NOT_UNDERSTOOD(Effect.PIN);

    /** What a finding requires of the pool. */
    public enum Effect {
        /** Nothing by itself. */
        NONE,
        /** The server must have reported or been asked for the transaction state before the connection is shared. */
        TRANSACTION,
        /** The text that runs is unknown; the configuration decides whether that pins. */
        OPAQUE,
        /** The client keeps its server connection until its session is reset or ends. */
        PIN,
        /** The client keeps its server connection for its next request. */
        NEXT_REQUEST,
        /** The request belongs on the server connection that served the client's previous one. */
        PREVIOUS_REQUEST
    }

    private static final long[] MASK_BY_EFFECT = masks();

    private final Effect effect;

    Finding(Effect effect) {
        this.effect = effect;
    }

    /** This finding's bit in {@link SqlFindings#bits()}. */
    public long bit() {
        return 1L << ordinal();
    }

    /** The bits of all findings with that effect, so that the hot path tests them with one AND. */
    public static long mask(Effect effect) {
        return MASK_BY_EFFECT[effect.ordinal()];
    }

    private static long[] masks() {
        long[] masks = new long[Effect.values().length];
        for (Finding finding : values()) {
            masks[finding.effect.ordinal()] |= finding.bit();
        }
        return masks;
    }
}
