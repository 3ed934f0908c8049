package dev.comporta.standin.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One login to the stand-in: its variables, options, transaction, temporary tables, handles and cursors. One thread runs
 * its requests, one at a time; {@link #cancel} may come from any thread.
 */
public interface EngineSession extends AutoCloseable {
    /** A parameter of a procedure call. The name is empty if it was passed by position; otherwise it begins with @. */
    record Parameter(String name, SqlType type, @Nullable Object value, boolean output, boolean useDefault) {}

    /** A transaction manager request. Names are empty if none was given. */
    sealed interface TransactionRequest {
        record Begin(IsolationLevel isolation, String name) implements TransactionRequest {}

        record Commit(String name, @Nullable Begin next) implements TransactionRequest {}

        record Rollback(String name, @Nullable Begin next) implements TransactionRequest {}

        record Save(String name) implements TransactionRequest {}
    }

    /** UNCHANGED is the wire's 0: the session keeps its level. */
    enum IsolationLevel {
        UNCHANGED,
        READ_UNCOMMITTED,
        READ_COMMITTED,
        REPEATABLE_READ,
        SERIALIZABLE,
        SNAPSHOT
    }

    int spid();

    String database();

    String language();

    /** Whether a transaction is open: closing the session now would roll it back. */
    boolean inTransaction();

    void batch(String sql, Response response);

    /** Calls a procedure by its name: a system procedure (sp_executesql, sp_cursoropen…) or a user's. */
    void call(String procedure, List<Parameter> parameters, Response response);

    void transaction(TransactionRequest request, Response response);

    /**
     * Begins a bulk load into the table that the preceding INSERT BULK statement named; the rows are in the order and
     * of the types of that statement's columns.
     */
    BulkInsert bulk(Response response);

    /** Rows of a bulk load. */
    interface BulkInsert {
        /** The columns that INSERT BULK announced. */
        List<Column> columns();

        void row(@Nullable Object[] values);

        /** Ends the rows: reports their number, or the first error. */
        void end();
    }

    /**
     * Does what sp_reset_connection does: it does not reset the isolation level.
     *
     * @param keepTransaction RESETCONNECTIONSKIPTRAN: an open transaction stays open
     */
    void reset(boolean keepTransaction, Response response);

    /**
     * Stops the running request, from any thread; does nothing if none is running. A request that is about to begin asks its
     * {@link Response#isUnwanted() response}, which must know of the cancel before this is called.
     */
    void cancel();

    /** Rolls back the open transaction and drops what belongs to the session. */
    @Override
    void close();
}
