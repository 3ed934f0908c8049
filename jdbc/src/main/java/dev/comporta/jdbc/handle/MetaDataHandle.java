package dev.comporta.jdbc.handle;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** What the driver tells of the database. Its result sets have no statement that the application knows: the connection closes them. */
abstract class MetaDataHandle extends Handle implements DatabaseMetaData {
    MetaDataHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }

    /** The driver's object outlives the loan, and would use the connection of whoever has it then. */
    @Override
    final Wrapper delegate() throws SQLException {
        owner.delegate();
        return super.delegate();
    }

    @Override
    final @Nullable ResultSet wrapped(@Nullable ResultSet ofDriver) {
        if (ofDriver == null) {
            return null;
        }
        owner.track(ofDriver);
        return Handles.resultSet(owner, ofDriver, null);
    }

    @Override
    public final boolean supportsSavepoints() throws SQLException {
        return owner.hasSavepoints() && ((DatabaseMetaData) delegate()).supportsSavepoints();
    }

    @Override
    public final Connection getConnection() {
        return owner;
    }
}
