package dev.comporta.jdbc.dialect;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SQL Server's reset of a session: a bit on the next message, which no SQL sets. mssql-jdbc sets it where its own pooled
 * connections pass from one client to the next, by a method that is not public. A pooled connection itself would hide
 * {@code SQLServerConnection}, which applications unwrap.
 *
 * <p>The reset is verified: a mark that is left in the session before must be gone afterwards.
 */
final class SqlServerReset {
    private static final Logger log = LoggerFactory.getLogger(SqlServerReset.class);

    /** The mark, a LOCK_TIMEOUT of 24 days: no application sets this number of milliseconds. */
    private static final int MARK = 2_104_711_047;

    /** Leaves the mark. */
    static final String LEAVE_MARK = "SET LOCK_TIMEOUT " + MARK;

    /** A property of mssql-jdbc. The driver sets it at login only, and a reset removes it. */
    private static final Pattern LOCK_TIMEOUT = Pattern.compile("(?i)[;]lockTimeout=(\\d+)");

    /** mssql-jdbc's number for an isolation that JDBC does not know. */
    private static final int SNAPSHOT = 4096;

    private static final ClassValue<Optional<Method>> RESETS = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            return find(type);
        }
    };

    private SqlServerReset() {}

    private static Optional<Method> find(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            try {
                Method reset = c.getDeclaredMethod("resetPooledConnection");
                if (reset.trySetAccessible()) {
                    return Optional.of(reset);
                }
            } catch (NoSuchMethodException _) {
                // declared by a superclass, or by none
            }
        }
        log.warn(
                "{} can't reset sessions of SQL Server: connections close after loans that may have left something in"
                        + " their session. Use mssql-jdbc; on the module path, open its package"
                        + " com.microsoft.sqlserver.jdbc to dev.comporta.jdbc",
                type.getName());
        return Optional.empty();
    }

    /** Whether the driver can reset sessions. */
    static boolean isAvailable(Connection connection) {
        return RESETS.get(connection.getClass()).isPresent();
    }

    /** Fails if the mark, which must have been left before, is still there. Restores what the driver has set at its login. */
    static void run(Connection connection) throws SQLException {
        call(RESETS.get(connection.getClass()).orElseThrow(), connection);
        // The isolation is not reset by every version of the server.
        String sql = "SELECT @@LOCK_TIMEOUT; SET TRANSACTION ISOLATION LEVEL "
                + isolation(connection.getTransactionIsolation());
        Matcher lockTimeout =
                LOCK_TIMEOUT.matcher(String.valueOf(connection.getMetaData().getURL()));
        if (lockTimeout.find()) {
            sql += "; SET LOCK_TIMEOUT " + lockTimeout.group(1);
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            if (!rows.next() || rows.getInt(1) == MARK) {
                throw new SQLException("the server has not reset the session");
            }
        }
    }

    private static void call(Method reset, Connection connection) throws SQLException {
        try {
            reset.invoke(connection);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            throw new SQLException("the driver could not reset the connection", e);
        } catch (IllegalAccessException e) {
            throw new SQLException("the driver's reset can't be called", e);
        }
    }

    private static String isolation(int level) throws SQLException {
        return switch (level) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
            case Connection.TRANSACTION_READ_COMMITTED -> "READ COMMITTED";
            case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            case SNAPSHOT -> "SNAPSHOT";
            default -> throw new SQLException("isolation level " + level + " is not known");
        };
    }
}
