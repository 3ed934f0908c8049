package dev.comporta.bench.jdbc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.Statement;
import java.util.concurrent.Executor;

/** A connection to a stub of a server, or to none: it costs nothing, so that the pool is measured. */
abstract class StubConnection implements Connection {
    private static final MethodHandle MADE = constructor();

    private final StubServer server;
    private boolean autoCommit = true;
    private volatile boolean closed;
    private volatile boolean dead;

    StubConnection(StubServer server) {
        this.server = server;
    }

    private static MethodHandle constructor() {
        try {
            return MethodHandles.lookup().unreflectConstructor(StubClasses.of(StubConnection.class));
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static StubConnection to(StubServer server) {
        try {
            return (StubConnection) MADE.invoke(server);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends the connection as a server that goes down does. */
    final void die() {
        dead = true;
    }

    private void requireAlive() throws SQLException {
        if (dead) {
            throw new SQLRecoverableException("the server closed the connection", "08006");
        }
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            server.closed(this);
        }
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }

    @Override
    public final void abort(Executor executor) {
        close();
    }

    @Override
    public final boolean isValid(int seconds) {
        return !dead && !closed;
    }

    @Override
    public final boolean getAutoCommit() {
        return autoCommit;
    }

    @Override
    public final void setAutoCommit(boolean to) {
        autoCommit = to;
    }

    @Override
    public final int getTransactionIsolation() {
        return TRANSACTION_READ_COMMITTED;
    }

    @Override
    public final Statement createStatement() throws SQLException {
        requireAlive();
        return StubStatement.of(this);
    }

    @Override
    public final PreparedStatement prepareStatement(String sql) throws SQLException {
        requireAlive();
        return StubStatement.of(this);
    }

    @Override
    public final <T> T unwrap(Class<T> type) {
        return type.cast(this);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
