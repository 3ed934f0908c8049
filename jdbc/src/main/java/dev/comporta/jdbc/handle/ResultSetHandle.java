package dev.comporta.jdbc.handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** A result set on loan: its statement is the application's, not the driver's. */
abstract class ResultSetHandle extends Handle implements ResultSet {
    private @Nullable StatementHandle statement;
    private boolean closed;

    ResultSetHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }

    final ResultSetHandle of(@Nullable StatementHandle its) {
        statement = its;
        return this;
    }

    @Override
    final @Nullable ResultSet wrapped(@Nullable ResultSet ofDriver) {
        return ofDriver;
    }

    @Override
    public final @Nullable Statement getStatement() throws SQLException {
        return statement;
    }

    @Override
    final boolean hasEnded() {
        return closed || (statement == null ? owner.isClosed() : statement.hasEnded());
    }

    @Override
    public final boolean isClosed() throws SQLException {
        return hasEnded() || ((ResultSet) ofDriver()).isClosed();
    }

    @Override
    public final void close() throws SQLException {
        if (hasEnded()) {
            return;
        }
        closed = true;
        ResultSet ofDriver = (ResultSet) ofDriver();
        if (statement == null && !owner.untrack(ofDriver)) {
            return;
        }
        try {
            ofDriver.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
