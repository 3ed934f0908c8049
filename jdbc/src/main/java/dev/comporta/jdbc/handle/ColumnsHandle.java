package dev.comporta.jdbc.handle;

import java.sql.ResultSet;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/**
 * What a driver tells of the columns of a result, or of the parameters of a statement. Some drivers ask the server when they are
 * asked: so this ends with the loan too.
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
