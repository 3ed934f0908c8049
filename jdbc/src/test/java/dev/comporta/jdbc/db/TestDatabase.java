package dev.comporta.jdbc.db;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A real database, and what tests do behind the pool's back. */
public interface TestDatabase {
    String url();

    String user();

    String password();

    /** What identifies the session of a connection, in SQL. */
    String sessionId();

    /** Ends this session from outside. Returns when the server has ended it. */
    void kill(String sessionId) throws SQLException;

    /** The open sessions of pools, as the database counts them. */
    int sessions() throws SQLException;

    /** An interface of the driver's own that its connections have. */
    Class<?> driversOwn();

    /** SQL that keeps the server busy for about a second. */
    String slow();

    /** Whether the driver ends the wait for it when the network timeout is over. */
    default boolean hasNetworkTimeout() {
        return true;
    }

    /** What the server says of a wrong password, in its own words. */
    String rejection();

    /** SQL that leaves something in a session that no JDBC call shows. */
    String leave();

    /** SQL whose first column is {@code left} afterwards, and something else in a fresh session. */
    String isLeft();

    /** SQL that begins a transaction behind the driver's back. */
    default String begin() {
        return "START TRANSACTION";
    }

    /** Whether the driver sends that to the server. */
    default boolean lets() {
        return true;
    }

    /** Whether the dialect's full reset removes that. */
    default boolean canReset() {
        return true;
    }

    default Connection admin() throws SQLException {
        return DriverManager.getConnection(url(), user(), password());
    }

    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void stop() throws Exception;
}
