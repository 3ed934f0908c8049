package dev.comporta.jdbc.handle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** A statement on loan: closed with its connection at the latest. */
abstract class StatementHandle extends Handle implements Statement {
    private boolean closed;

    StatementHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }

    @Override
    final @Nullable ResultSet wrapped(@Nullable ResultSet ofDriver) {
        return ofDriver == null ? null : Handles.resultSet(owner, ofDriver, this);
    }

    @Override
    public final Connection getConnection() {
        return owner;
    }

    @Override
    final boolean hasEnded() {
        return closed || owner.isClosed();
    }

    @Override
    public final boolean isClosed() throws SQLException {
        return hasEnded() || ((Statement) ofDriver()).isClosed();
    }

    @Override
    public final void close() throws SQLException {
        if (hasEnded()) {
            return;
        }
        closed = true;
        Statement ofDriver = (Statement) ofDriver();
        if (!owner.untrack(ofDriver)) {
            return;
        }
        try {
            ofDriver.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
