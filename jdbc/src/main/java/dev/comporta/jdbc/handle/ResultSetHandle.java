package dev.comporta.jdbc.handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** A result set on loan: its statement is the application's, not the driver's. */
abstract class ResultSetHandle extends Handle implements ResultSet {
    private @Nullable Statement statement;

    ResultSetHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }

    final ResultSetHandle of(@Nullable Statement its) {
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
    public final void close() throws SQLException {
        ResultSet ofDriver = (ResultSet) delegate();
        if (statement == null) {
            owner.untrack(ofDriver);
        }
        try {
            ofDriver.close();
        } catch (SQLException e) {
            throw failed(e);
        }
    }
}
