package dev.comporta.jdbc.handle;

import java.sql.ResultSet;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * The meta data of a result's columns, or of a statement's parameters. Some drivers query the server for it, so it ends
 * with the loan too.
 */
abstract class ColumnsHandle extends Handle {
    ColumnsHandle(ConnectionHandle owner, Wrapper delegate) {
        super(owner, delegate);
    }

    @Override
    final @Nullable ResultSet wrapped(@Nullable ResultSet ofDriver) {
        return ofDriver;
    }
}
