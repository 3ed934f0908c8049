package dev.comporta.testkit.crosstalk;

import java.util.List;

/** A client's session through some driver. One thread uses it, but for {@link #die}, which may come from another. */
public interface DriverSession {
    void connect() throws Exception;

    /** The first column of every row of every result, separated by commas. */
    String ask(String sql) throws Exception;

    /** The same of a statement that is prepared once, and executed with each value for its parameter {@code ?}. */
    String askPrepared(String sql, List<Integer> values) throws Exception;

    /** Asks, and cancels that after a while. What came until then is the answer. */
    String askAndCancel(String sql, int afterMillis) throws Exception;

    /** Begins a transaction as the driver does it. */
    void begin() throws Exception;

    void commit() throws Exception;

    void rollback() throws Exception;

    /** Resets the session as the driver's pool would; one that has no such way connects anew. */
    default void reset() throws Exception {
        close();
        connect();
    }

    /** Whether {@link #die} works while a request runs. */
    default boolean diesAtOnce() {
        return true;
    }

    /** Goes without a word, as a process does that is killed. */
    void die() throws Exception;

    void close() throws Exception;
}
