package dev.comporta.jdbc.dialect;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** MySQL's COM_RESET_CONNECTION, which no SQL statement sends: both drivers have a method of their own for it. */
final class DriverReset {
    private DriverReset() {}

    static void run(Connection connection, boolean surelyTouched) throws SQLException {
        // MariaDB Connector/J, then MySQL Connector/J. Neither is known at compile time: drivers are the application's.
        Method reset = publicMethod(connection.getClass(), "reset");
        if (reset == null) {
            reset = publicMethod(connection.getClass(), "resetServerState");
        }
        if (reset == null) {
            if (surelyTouched) {
                throw new SQLException("the driver can't reset a session of MySQL");
            }
            return;
        }
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

    private static @Nullable Method publicMethod(Class<?> type, String name) {
        try {
            return type.getMethod(name);
        } catch (NoSuchMethodException _) {
            return null;
        }
    }
}
