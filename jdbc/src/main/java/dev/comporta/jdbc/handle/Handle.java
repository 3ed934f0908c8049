package dev.comporta.jdbc.handle;

import java.sql.ResultSet;
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

    Wrapper delegate() throws SQLException {
        return delegate;
    }

    final SQLException failed(SQLException e) {
        return owner.failed(e);
    }

    /** Before anything that reaches the server. */
    final void used() {
        owner.used();
    }

    /** Before a text that reaches the server. */
    final void ran(String sql) {
        owner.ran(sql);
    }

    /** Before a query that is counted. */
    final long began() {
        return System.nanoTime();
    }

    /** After a query that is counted. */
    final void ended(long began) {
        owner.queried(System.nanoTime() - began);
    }

    /** A result set of the driver, as the application sees it. */
    abstract @Nullable ResultSet wrapped(@Nullable ResultSet ofDriver);

    @Override
    public final <T> T unwrap(Class<T> type) throws SQLException {
        owner.outOfSight();
        return type.isInstance(delegate) ? type.cast(delegate) : delegate.unwrap(type);
    }

    @Override
    public final boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(delegate) || delegate.isWrapperFor(type);
    }

    @Override
    public final String toString() {
        return delegate.toString();
    }
}
