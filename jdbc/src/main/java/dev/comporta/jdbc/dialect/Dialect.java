package dev.comporta.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;

/** A kind of database, found by the JDBC URL. */
@SuppressWarnings("ImmutableEnumChecker") // Set.of makes sets that nobody can change
public enum Dialect {
    POSTGRESQL(
            Set.of("postgresql"),
            "SELECT 1",
            new Failure(
                    // Ended by the administrator, crash, shutdown; session, idle-in-transaction, transaction timeouts.
                    Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "25P04"),
                    Set.of(),
                    Set.of("53300", "53400"),
                    Set.of(),
                    Set.of("57P03"),
                    Set.of(),
                    Set.of())),
    MYSQL(
            Set.of("mysql", "mariadb"),
            "SELECT 1",
            new Failure(
                    Set.of(),
                    // Shutdown, aborted, gone away, lost, killed, idle for too long.
                    Set.of(1053, 1184, 2006, 2013, 1927, 4031),
                    Set.of(),
                    // Too many connections: of the server, of this user, of this user per hour.
                    Set.of(1040, 1203, 1226),
                    Set.of(),
                    Set.of(),
                    Set.of(1044, 1045, 1049, 1698))),
    SQL_SERVER(
            Set.of("sqlserver", "jtds"),
            "SELECT 1",
            new Failure(
                    Set.of(),
                    // Session killed; connection broken while pooled.
                    Set.of(596, 18002),
                    Set.of(),
                    // Resource limits of Azure SQL Database; user connections of the server.
                    Set.of(10928, 10929, 10936, 17809),
                    Set.of(),
                    // In recovery, restoring, starting up, moving.
                    Set.of(922, 927, 40197, 40613, 6005, 17142, 17187, 18401),
                    Set.of(4060, 4064, 18456, 18452, 18461, 18470, 18486, 18487, 18488))),
    FIREBIRD(
            Set.of("firebird", "firebirdsql"),
            "SELECT 1 FROM RDB$DATABASE",
            new Failure(
                    Set.of(),
                    // Shutdown, network error, read and write errors, connection lost, attachment shut down.
                    Set.of(335544528, 335544721, 335544726, 335544727, 335544741, 335544856),
                    Set.of(),
                    // Maximum user count exceeded.
                    Set.of(335544744),
                    Set.of(),
                    Set.of(),
                    // Login; database file.
                    Set.of(335544472, 335544344, 335544375))),
    H2(
            Set.of("h2"),
            "SELECT 1",
            new Failure(
                    Set.of("90067", "90098", "90121"),
                    Set.of(90067, 90098, 90121),
                    Set.of(),
                    Set.of(),
                    Set.of("90020"),
                    Set.of(90020),
                    Set.of(28000, 90149, 90146))),
    GENERIC(Set.of(), "SELECT 1", Failure.GENERIC);

    private final Set<String> subprotocols;
    private final String healthQuery;
    private final Failure failures;

    Dialect(Set<String> subprotocols, String healthQuery, Failure failures) {
        this.subprotocols = subprotocols;
        this.healthQuery = healthQuery;
        this.failures = failures;
    }

    public static Dialect of(String jdbcUrl) {
        String[] parts = jdbcUrl.split(":", 3);
        String subprotocol = parts.length < 3 ? "" : parts[1].toLowerCase(Locale.ROOT);
        for (Dialect dialect : values()) {
            if (dialect.subprotocols.contains(subprotocol)) {
                return dialect;
            }
        }
        return GENERIC;
    }

    /** As statistics call it. */
    public String type() {
        return this == SQL_SERVER ? "mssql" : name().toLowerCase(Locale.ROOT);
    }

    public String healthQuery() {
        return healthQuery;
    }

    /** Whether a connection that reported this error, or an error chained to it, is of no further use. */
    public boolean isLost(SQLException failure) {
        return failures.isLost(failure);
    }

    public OpeningTrouble troubleOf(SQLException failedOpening) {
        return failures.ofOpening(failedOpening);
    }

    /**
     * What the pool needs of the driver. Above all, has it give up connecting by itself after this time: a connect can't be cancelled from outside, and its slot is
     * taken until it ends. What the application has set stays.
     */
    public void addDefaults(Properties driverProperties, String jdbcUrl, Duration timeout) {
        long millis = Math.max(1, timeout.toMillis());
        String seconds = Long.toString(Math.max(1, (millis + 999) / 1000));
        switch (this) {
            case POSTGRESQL -> {
                setDefault(driverProperties, jdbcUrl, "loginTimeout", seconds);
                setDefault(driverProperties, jdbcUrl, "connectTimeout", seconds);
            }
            case MYSQL -> {
                setDefault(driverProperties, jdbcUrl, "connectTimeout", Long.toString(millis));
                if (jdbcUrl.startsWith("jdbc:mariadb:")) {
                    // Otherwise its reset() sends nothing to the server.
                    setDefault(driverProperties, jdbcUrl, "useResetConnection", "true");
                }
            }
            case SQL_SERVER -> setDefault(driverProperties, jdbcUrl, "loginTimeout", seconds);
            case FIREBIRD -> setDefault(driverProperties, jdbcUrl, "connectTimeout", seconds);
            case H2, GENERIC -> {}
        }
    }

    private static void setDefault(Properties properties, String jdbcUrl, String key, String value) {
        if (!jdbcUrl.contains(key + "=")) {
            properties.putIfAbsent(key, value);
        }
    }

    /**
     * Ends a transaction that was begun by a text, which the driver may know nothing of. PostgreSQL's reset, which follows, fails
     * inside of one; a ROLLBACK outside of one would be a warning in the server's log. Firebird's driver lets no text begin one.
     *
     * @param surelyTouched whether a text began or ended one: then a database for which nothing ends it for certain fails
     */
    public void endTransaction(Connection connection, boolean surelyTouched) throws SQLException {
        switch (this) {
            case SQL_SERVER ->
                execute(
                        connection,
                        "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; SET IMPLICIT_TRANSACTIONS "
                                + (connection.getAutoCommit() ? "OFF" : "ON"));
            case MYSQL, H2 -> execute(connection, "ROLLBACK");
            case POSTGRESQL, FIREBIRD -> {}
            case GENERIC -> {
                if (surelyTouched) {
                    throw new SQLException("a text began or ended a transaction, and how to end it here is not known");
                }
            }
        }
    }

    /**
     * Resets what no JDBC call shows, as far as the database can: {@code SET} in plain SQL, temporary tables, locks. Nothing on
     * SQL Server, H2, Firebird before 4 and databases that are not known.
     */
    public void reset(Connection connection) throws SQLException {
        switch (this) {
            case POSTGRESQL -> {
                if (!connection.getAutoCommit()) {
                    connection.setAutoCommit(true); // DISCARD ALL can't run in a transaction
                }
                execute(connection, "DISCARD ALL");
            }
            case MYSQL -> DriverReset.run(connection);
            case FIREBIRD -> {
                if (connection.getMetaData().getDatabaseMajorVersion() >= 4) {
                    execute(connection, "ALTER SESSION RESET");
                }
            }
            case SQL_SERVER, H2, GENERIC -> {}
        }
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
