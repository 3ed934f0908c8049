package dev.comporta.jdbc.session;

import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.dialect.LossRule;
import dev.comporta.jdbc.dialect.NoCredentialsException;
import dev.comporta.jdbc.socket.ServerEnd;
import dev.comporta.jdbc.socket.WatchedSocketFactory;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Opens physical connections for one login.
 *
 * @param driverProperties properties of the driver; user and password come from the credentials, at each opening
 * @param healthQuery null for the dialect's own
 */
public record Opener(
        String url,
        Driver driver,
        Dialect dialect,
        Properties driverProperties,
        Credentials credentials,
        SessionDefaults defaults,
        LossRule lossRule,
        @Nullable String healthQuery,
        Duration connectTimeout,
        StatementRules statements) {
    public Opener(
            String url,
            Driver driver,
            Dialect dialect,
            Properties driverProperties,
            Credentials credentials,
            SessionDefaults defaults,
            LossRule lossRule,
            @Nullable String healthQuery,
            Duration connectTimeout) {
        this(
                url,
                driver,
                dialect,
                driverProperties,
                credentials,
                defaults,
                lossRule,
                healthQuery,
                connectTimeout,
                StatementRules.NONE);
    }

    /** Blocks until the server has answered, or the driver gives up. */
    public Session open() throws SQLException {
        Properties properties = properties();
        ServerEnd end = new ServerEnd();
        Connection connection = end.watch(() -> driver.connect(url, properties));
        if (connection == null) {
            throw new SQLNonTransientConnectionException(
                    "the driver " + driver.getClass().getName() + " does not accept the URL " + withoutSecrets(url)
                            + ": correct jdbcUrl or driverClassName",
                    "08001");
        }
        end.established();
        try {
            String query = healthQuery == null ? dialect.healthQuery() : healthQuery;
            return new Session(connection, dialect, lossRule, defaults, query, statements, end);
        } catch (SQLException | RuntimeException | Error e) {
            close(connection, end, e);
            throw e;
        }
    }

    /** Returns when the server has ended it too: it is logged in, and its slot is used again as soon as this has returned. */
    private static void close(Connection connection, ServerEnd end, Throwable cause) {
        try {
            end.waitForServer();
            connection.close();
        } catch (SQLException | RuntimeException | Error e) {
            cause.addSuppressed(e);
            abort(connection, cause);
            end.giveUp();
        }
    }

    /** Otherwise the server would count it in addition to the one that takes its slot. */
    private static void abort(Connection connection, Throwable cause) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | Error e) {
            cause.addSuppressed(e);
        }
    }

    private Properties properties() throws SQLException {
        Properties all = new Properties();
        all.putAll(driverProperties);
        Credentials.Login login = login();
        if (login.user() != null) {
            all.setProperty("user", login.user());
        }
        if (login.password() != null) {
            all.setProperty("password", login.password());
        }
        dialect.addDefaults(all, url, connectTimeout);
        if (canMakeOurSockets()) {
            dialect.addSocketFactory(all, url);
        }
        return all;
    }

    /** Whether the driver, which loads classes by name in its own class loader, finds this very socket factory. */
    private boolean canMakeOurSockets() {
        try {
            String name = WatchedSocketFactory.class.getName();
            return Class.forName(name, false, driver.getClass().getClassLoader()) == WatchedSocketFactory.class;
        } catch (ClassNotFoundException | LinkageError _) {
            return false;
        }
    }

    private Credentials.Login login() throws SQLException {
        try {
            return credentials.get();
        } catch (SQLNonTransientException e) {
            throw e; // a retry would not help: waiting requests are refused
        } catch (SQLException e) {
            throw new NoCredentialsException(e);
        }
    }

    /**
     * A URL may carry a password as a parameter, in braces if it has a semicolon, or before the host; Oracle's has it behind a
     * slash.
     */
    public static String withoutSecrets(String url) {
        return url.replaceAll("(?i)((?:password|pwd|secret|token)[^=&;]*=)(?:\\{(?:[^}]|\\}\\})*+\\}|[^&;]*)", "$1***")
                .replaceAll("//([^:/@]*):[^@/]*@", "//$1:***@")
                .replaceAll(":([^:/@]+)/[^@/]*@", ":$1/***@");
    }

    @Override
    public String toString() {
        return withoutSecrets(url);
    }
}
