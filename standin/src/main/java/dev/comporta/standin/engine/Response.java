package dev.comporta.standin.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the results of a running request, in the order in which SQL Server sends them. Called by the one thread that runs
 * the request. Each method may block while the client does not read, and throws {@link RequestCancelled} once the client
 * has sent an attention. An implementation omits the methods of the parts that it does not need.
 */
public interface Response {
    /** The token that ends a statement or a procedure. */
    enum Done {
        /** A statement of a batch. */
        DONE,
        /** A statement inside a procedure, or inside sp_executesql and related procedures. */
        DONEINPROC,
        /** A whole procedure, after its RETURNSTATUS and return values. */
        DONEPROC
    }

    /** No row count: NOCOUNT is on, or the statement has none. */
    long NO_COUNT = -1;

    /**
     * Whether the client has cancelled the request, or has disconnected. Asked when a request begins: the cancel may have come
     * before there was anything to cancel.
     */
    default boolean isUnwanted() {
        return false;
    }

    default void columns(List<Column> columns) {}

    /**
     * Like Babelfish for API cursors: rows have more values than columns are described.
     *
     * @param concealed the number of columns, at the end, that are not described
     */
    default void columns(List<Column> columns, int concealed) {
        columns(columns);
    }

    default void row(@Nullable Object[] values) {}

    default void info(Message message) {}

    /** Sends the results so far; otherwise they are sent when a packet is full, or when they end. */
    default void flush() {}

    default void error(Message message) {}

    default void transactionBegan(long descriptor) {}

    default void transactionCommitted(long descriptor) {}

    default void transactionRolledBack(long descriptor) {}

    default void databaseChanged(String from, String to) {}

    default void languageChanged(String from, String to) {}

    default void returnStatus(int status) {}

    /**
     * An output parameter.
     *
     * @param ordinal its position in the call, from 0
     */
    default void returnValue(int ordinal, String name, SqlType type, @Nullable Object value) {}

    /**
     * Ends a statement or a procedure.
     *
     * @param command the DONE token's CurCmd, such as 0xC1 for SELECT, 0xC3 for INSERT; 0 if it has none
     * @param rowCount or {@link #NO_COUNT}
     * @param error whether the statement failed
     */
    default void done(Done kind, int command, long rowCount, boolean error) {}
}
