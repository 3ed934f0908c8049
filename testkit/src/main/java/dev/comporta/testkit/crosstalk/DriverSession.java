package dev.comporta.testkit.crosstalk;

import java.util.List;

/** A client's session through some driver. For one thread; only {@link #die} may be called by another. */
public interface DriverSession {
    void connect() throws Exception;

    /** The first column of every row of every result, separated by commas. */
    String ask(String sql) throws Exception;

    /** The same of a statement that is prepared once, and executed with each value for its parameter {@code ?}. */
    String askPrepared(String sql, List<Integer> values) throws Exception;

    /** Runs a text and cancels it after that time. Returns the values that arrived before. */
    String askAndCancel(String sql, int afterMillis) throws Exception;

    /** Begins a transaction as the driver does it. */
    void begin() throws Exception;

    void commit() throws Exception;

    void rollback() throws Exception;

    /** Resets the session as the driver's pool would. By default it reconnects, for drivers without a reset. */
    default void reset() throws Exception {
        close();
        connect();
    }

    /** Whether {@link #die} works while a request runs. */
    default boolean diesAtOnce() {
        return true;
    }

    /** Closes the connection without logging out, like a process that is killed. */
    void die() throws Exception;

    void close() throws Exception;
}
