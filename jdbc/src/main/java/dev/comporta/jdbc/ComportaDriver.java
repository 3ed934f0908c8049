package dev.comporta.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * {@code jdbc:comporta:SERVER}: connections of {@link ServerRegistry#shared}, for pools and frameworks that open connections
 * themselves. Opening takes one out of the reservoir, at once if one is ready; closing gives it back. The property {@code user}
 * is the local user, {@code loginTimeout} the longest wait in seconds. {@code jdbc:comporta:} without a server is the administration
 * of that registry: its statistics and commands, in SQL.
 */
public final class ComportaDriver implements Driver {
    private static final String PREFIX = "jdbc:comporta:";

    static {
        try {
            DriverManager.registerDriver(new ComportaDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null; // as JDBC requires: another driver may accept it
        }
        String server = url.substring(PREFIX.length());
        String user = info.getProperty("user", "");
        String seconds = info.getProperty("loginTimeout");
        ServerRegistry registry = ServerRegistry.shared();
        if (server.isEmpty()) {
            return registry.sql().connect(url, user.isEmpty() ? "admin" : user);
        }
        return seconds == null
                ? registry.acquire(server, user)
                : registry.acquire(server, user, Duration.ofSeconds(seconds(seconds)));
    }

    private static long seconds(String text) throws SQLException {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new SQLException("loginTimeout is \"" + text + "\": set a number of seconds", "22023", e);
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        DriverPropertyInfo user = new DriverPropertyInfo("user", info.getProperty("user"));
        user.description = "the local user, which the registry maps to a login of the server";
        DriverPropertyInfo timeout = new DriverPropertyInfo("loginTimeout", info.getProperty("loginTimeout"));
        timeout.description = "the longest wait for a connection, in seconds";
        return new DriverPropertyInfo[] {user, timeout};
    }

    @Override
    public int getMajorVersion() {
        return 0;
    }

    @Override
    public int getMinorVersion() {
        return 1;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("logs go to SLF4J", "0A000");
    }
}
