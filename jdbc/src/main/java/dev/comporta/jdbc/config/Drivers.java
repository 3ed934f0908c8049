package dev.comporta.jdbc.config;

import dev.comporta.jdbc.session.Opener;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds the driver of a URL. */
final class Drivers {
    private Drivers() {}

    static Driver of(String url, String className) {
        return className.isEmpty() ? registered(url) : named(className);
    }

    private static Driver registered(String url) {
        try {
            return DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "no driver accepts jdbcUrl " + Opener.withoutSecrets(url)
                            + ": put the database's JDBC driver on the class path, or correct the URL",
                    e);
        }
    }

    private static Driver named(String className) {
        try {
            return (Driver) load(className).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "driverClassName is " + className
                            + ", which can't be loaded as a JDBC driver: put it on the class path, or leave it out",
                    e);
        }
    }

    private static Class<?> load(String className) throws ClassNotFoundException {
        @Nullable ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        if (ofThread != null) {
            try {
                return Class.forName(className, true, ofThread);
            } catch (ClassNotFoundException _) {
                // the driver may be on the class path of this class only
            }
        }
        return Class.forName(className);
    }
}
