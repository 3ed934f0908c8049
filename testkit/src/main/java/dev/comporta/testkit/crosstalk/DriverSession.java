package dev.comporta.testkit.crosstalk;

import java.util.List;

/** A client's session through some driver. One thread uses it, except {@link #die}, which may come from another. */
public interface DriverSession {
    void connect() throws Exception;

    /** The first column of every row of every result, separated by commas. */
    String ask(String sql) throws Exception;

    /** Like {@link #ask}, for a statement that is prepared once and executed with each value of its parameter {@code ?}. */
    String askPrepared(String sql, List<Integer> values) throws Exception;

    /** Sends a request, and cancels it after a while. Returns the answer received until then. */
    String askAndCancel(String sql, int afterMillis) throws Exception;

    /** Begins a transaction by the driver's own call. */
    void begin() throws Exception;

    void commit() throws Exception;

    void rollback() throws Exception;

    /** Resets the session as the driver's pool would; a driver without a pool connects again. */
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
