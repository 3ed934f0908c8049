package dev.comporta.jdbc.handle;

import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** An object of the driver, as the application sees it. {@link Delegation} adds the methods that only call the driver. */
abstract class Handle implements Wrapper {
    final ConnectionHandle owner;
    private final Wrapper delegate;

    Handle(ConnectionHandle owner, Wrapper delegate) {
        this.owner = owner;
        this.delegate = delegate;
    }

    /**
     * The driver's object, as long as the application may use it. The check is not left to the driver: one that caches
     * statements returns the same object to the next client that prepares the same text.
     */
    final Wrapper delegate() throws SQLException {
        if (hasEnded()) {
            owner.session(); // 08003, if it was closed with its connection
            throw new SQLException("this statement, result set or meta data is closed: create a new one", "HY010");
        }
        return delegate;
    }

    /** The driver's object, whether or not the application may use it. */
    final Wrapper ofDriver() {
        return delegate;
    }

    /** Whether it was closed, by itself or with its loan. If the driver has closed its object, it rejects calls itself. */
    boolean hasEnded() {
        return owner.isClosed();
    }

    final SQLException failed(SQLException e) {
        return owner.failed(e);
    }

    /** Called before anything that reaches the server. */
    final void used() {
        owner.used();
    }

    /** Called before an object of the driver's own is returned that may query the server at any time. */
    final void handedOut() {
        owner.handedOut();
    }

    /** Called before a text is sent to the server. */
    final void ran(String sql) {
        owner.ran(sql);
    }

    /** Called before a query that is counted. */
    final long began() {
        return System.nanoTime();
    }

    /** Called after a query that is counted. */
    final void ended(long began) {
        owner.queried(System.nanoTime() - began);
    }

    /** A result set of the driver, as the application sees it. */
    abstract @Nullable ResultSet wrapped(@Nullable ResultSet ofDriver) throws SQLException;

    final @Nullable ResultSetMetaData wrapped(@Nullable ResultSetMetaData ofDriver) {
        return ofDriver == null ? null : Handles.columns(owner, ofDriver);
    }

    final @Nullable ParameterMetaData wrapped(@Nullable ParameterMetaData ofDriver) {
        return ofDriver == null ? null : Handles.parameters(owner, ofDriver);
    }

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        Wrapper ofDriver = delegate();
        owner.outOfSight();
        return type.isInstance(ofDriver) ? type.cast(ofDriver) : ofDriver.unwrap(type);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) throws SQLException {
        Wrapper ofDriver = delegate();
        return type.isInstance(ofDriver) || ofDriver.isWrapperFor(type);
    }

    @Override
    public final String toString() {
        return owner.isClosed() ? "of a connection returned to its pool" : delegate.toString();
    }
}
