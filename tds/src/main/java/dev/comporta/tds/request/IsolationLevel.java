package dev.comporta.tds.request;

import dev.comporta.tds.ProtocolException;

/** An isolation level in a transaction manager request. The session keeps it after the transaction. */
public enum IsolationLevel {
    /** Leaves the session's level unchanged. */
    CURRENT(0, ""),
    READ_UNCOMMITTED(1, "READ UNCOMMITTED"),
    READ_COMMITTED(2, "READ COMMITTED"),
    REPEATABLE_READ(3, "REPEATABLE READ"),
    SERIALIZABLE(4, "SERIALIZABLE"),
    SNAPSHOT(5, "SNAPSHOT");

    private final int code;
    private final String sql;

    IsolationLevel(int code, String sql) {
        this.code = code;
        this.sql = sql;
    }

    static IsolationLevel of(int code) {
        for (IsolationLevel level : values()) {
            if (level.code == code) {
                return level;
            }
        }
        throw new ProtocolException("isolation level %d".formatted(code));
    }

    int code() {
        return code;
    }

    /** The words of SET TRANSACTION ISOLATION LEVEL; empty for {@link #CURRENT}. */
    public String sql() {
        return sql;
    }
}
