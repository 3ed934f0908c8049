package dev.comporta.jdbc.handle;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * The driver's meta data of the database. Its result sets have no statement known to the application: the connection closes them.
 */
abstract class MetaDataHandle extends Handle implements DatabaseMetaData {
    MetaDataHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }

    @Override
    final @Nullable ResultSet wrapped(@Nullable ResultSet ofDriver) throws SQLException {
        if (ofDriver == null) {
            return null;
        }
        owner.track(owner.session(), ofDriver);
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
