package dev.comporta.jdbc.session;

import dev.comporta.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The properties that every client finds on a connection. Null stands for the driver's default.
 *
 * @param initSql runs on each new connection, and again after a full reset
 */
public record SessionDefaults(
        @Nullable Boolean autoCommit,
        @Nullable Boolean readOnly,
        @Nullable Integer isolation,
        @Nullable String catalog,
        @Nullable String schema,
        @Nullable String initSql) {
    public static final SessionDefaults DRIVERS = new SessionDefaults(null, null, null, null, null, null);

    void applyTo(Connection connection) throws SQLException {
        if (initSql != null) {
            Dialect.execute(connection, initSql);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
        if (readOnly != null) {
            connection.setReadOnly(readOnly);
        }
        if (isolation != null) {
            connection.setTransactionIsolation(isolation);
        }
        if (catalog != null) {
            connection.setCatalog(catalog);
        }
        if (schema != null) {
            connection.setSchema(schema);
        }
        if (autoCommit != null) {
            connection.setAutoCommit(autoCommit);
        }
    }
}
