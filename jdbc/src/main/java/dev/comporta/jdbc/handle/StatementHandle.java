package dev.comporta.jdbc.handle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** A statement on loan: closed with its connection at the latest. */
abstract class StatementHandle extends Handle implements Statement {
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
    public final void close() throws SQLException {
        Statement ofDriver = (Statement) delegate();
        owner.untrack(ofDriver);
        try {
            ofDriver.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
