package dev.comporta.bench.jdbc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/** A statement that returns no rows, at once. */
abstract class StubStatement implements PreparedStatement {
    private static final MethodHandle MADE = constructor(StubStatement.class);
    private static final MethodHandle ROWS = constructor(StubRows.class);

    /** A result without rows. */
    abstract static class StubRows implements ResultSet {
        StubRows() {}
    }

    private final StubConnection connection;
    private boolean closed;

    StubStatement(StubConnection connection) {
        this.connection = connection;
    }

    private static MethodHandle constructor(Class<?> base) {
        try {
            return MethodHandles.lookup().unreflectConstructor(StubClasses.of(base));
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static StubStatement of(StubConnection connection) {
        try {
            return (StubStatement) MADE.invoke(connection);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public final ResultSet executeQuery() {
        try {
            return (ResultSet) ROWS.invoke();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public final boolean execute(String sql) {
        return true;
    }

    @Override
    public final Connection getConnection() {
        return connection;
    }

    @Override
    public final void close() {
        closed = true;
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }
}
