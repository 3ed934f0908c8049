package dev.comporta.jdbc.dialect;

import dev.comporta.jdbc.socket.WatchedSocketFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** A kind of database, found by the JDBC URL. */
@SuppressWarnings("ImmutableEnumChecker") // Set.of makes immutable sets
public enum Dialect {
    POSTGRESQL(Set.of("postgresql"), "SELECT 1", Failure.POSTGRESQL),
    /** Speaks PostgreSQL's protocol, and has less of its SQL. Found by the host's name, see {@link DsqlHost}. */
    AURORA_DSQL(Set.of(), "SELECT 1", Failure.POSTGRESQL),
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
                    // Resource limits of Azure SQL Database; its service too busy; user connections and threads of the
                    // server.
                    Set.of(10928, 10929, 10936, 40501, 49918, 49920, 17809, 17189),
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
        if (DsqlHost.of(jdbcUrl).isPresent()) {
            return AURORA_DSQL;
        }
        String[] parts = jdbcUrl.split(":", 3);
        String subprotocol = parts.length < 3 ? "" : parts[1].toLowerCase(Locale.ROOT);
        for (Dialect dialect : values()) {
            if (dialect.subprotocols.contains(subprotocol)) {
                return dialect;
            }
        }
        return GENERIC;
    }

    /** Whether a transaction can be rolled back in part. */
    public boolean hasSavepoints() {
        return this != AURORA_DSQL;
    }

    /** The value for {@link #putBackSchema}: on PostgreSQL the whole search path, of which JDBC returns only the first schema. */
    public @Nullable String schemaOf(Connection connection) throws SQLException {
        return hasSchemaPath() ? first(connection, "SHOW search_path") : connection.getSchema();
    }

    /** @param schema null if there was none */
    public void putBackSchema(Connection connection, @Nullable String schema) throws SQLException {
        if (schema == null) {
            if (connection.getSchema() != null) {
                throw new SQLException("a schema was set, and the connection had none before");
            }
        } else if (hasSchemaPath()) {
            execute(connection, "SET search_path = " + schema); // SHOW has returned names quoted where they must be
        } else {
            connection.setSchema(schema);
        }
    }

    private boolean hasSchemaPath() {
        return this == POSTGRESQL || this == AURORA_DSQL;
    }

    private static @Nullable String first(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    /** Its name in statistics. */
    public String type() {
        return this == SQL_SERVER ? "mssql" : name().toLowerCase(Locale.ROOT);
    }

    public String healthQuery() {
        return healthQuery;
    }

    /** Whether a connection that reported this error, or an error chained to it, can't be used any more. */
    public boolean isLost(SQLException failure) {
        return failures.isLost(failure);
    }

    public OpeningTrouble troubleOf(SQLException failedOpening) {
        return failures.ofOpening(failedOpening);
    }

    /**
     * Sets the driver properties that the pool needs. Above all the connect timeout: a connect can't be cancelled from
     * outside, and its slot is taken until it ends. What the application has set stays.
     */
    public void addDefaults(Properties driverProperties, String jdbcUrl, Duration timeout) {
        long millis = Math.max(1, timeout.toMillis());
        String seconds = Long.toString(Math.max(1, (millis + 999) / 1000));
        switch (this) {
            case POSTGRESQL -> addPostgresDefaults(driverProperties, jdbcUrl, seconds);
            case AURORA_DSQL -> {
                addPostgresDefaults(driverProperties, jdbcUrl, seconds);
                addDsqlDefaults(driverProperties, jdbcUrl);
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

    /**
     * Makes the driver use sockets that show when the server has ended the session. Without effect for MySQL's own driver,
     * whose factories are of another kind, Firebird's before Jaybird 6, which has none, and unknown databases.
     */
    public void addSocketFactory(Properties driverProperties, String jdbcUrl) {
        String factory = WatchedSocketFactory.class.getName();
        switch (this) {
            case POSTGRESQL, AURORA_DSQL, FIREBIRD -> setDefault(driverProperties, jdbcUrl, "socketFactory", factory);
            case MYSQL -> {
                if (jdbcUrl.startsWith("jdbc:mariadb:")) {
                    setDefault(driverProperties, jdbcUrl, "socketFactory", factory);
                }
            }
            case SQL_SERVER -> {
                if (jdbcUrl.startsWith("jdbc:sqlserver:")) {
                    setDefault(driverProperties, jdbcUrl, "socketFactoryClass", factory);
                }
            }
            case H2, GENERIC -> {}
        }
    }

    private static void addPostgresDefaults(Properties driverProperties, String jdbcUrl, String seconds) {
        setDefault(driverProperties, jdbcUrl, "loginTimeout", seconds);
        setDefault(driverProperties, jdbcUrl, "connectTimeout", seconds);
    }

    /** TLS from the first byte, with a certificate of the cluster that the Java runtime trusts. No savepoints. */
    private static void addDsqlDefaults(Properties driverProperties, String jdbcUrl) {
        setDefault(driverProperties, jdbcUrl, "sslmode", "verify-full");
        setDefault(driverProperties, jdbcUrl, "sslNegotiation", "direct");
        if (!jdbcUrl.contains("sslrootcert=") && !driverProperties.containsKey("sslrootcert")) {
            setDefault(driverProperties, jdbcUrl, "sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
        }
        setDefault(driverProperties, jdbcUrl, "autosave", "never");
    }

    private static void setDefault(Properties properties, String jdbcUrl, String key, String value) {
        if (!jdbcUrl.contains(key + "=")) {
            properties.putIfAbsent(key, value);
        }
    }

    /**
     * Ends a transaction that was begun by SQL text, of which the driver may not know. Not on PostgreSQL: its reset, which
     * follows, fails inside a transaction, and a ROLLBACK outside of one would be a warning in the server's log. Firebird's
     * driver lets no text begin one.
     *
     * @param surelyTouched whether a text began or ended one: then this fails on a database where nothing reliably ends it
     */
    public void endTransaction(Connection connection, boolean surelyTouched) throws SQLException {
        switch (this) {
            case SQL_SERVER ->
                execute(
                        connection,
                        "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION; SET IMPLICIT_TRANSACTIONS "
                                + (connection.getAutoCommit() ? "OFF" : "ON")
                                + (SqlServerReset.isAvailable(connection) ? "; " + SqlServerReset.LEAVE_MARK : ""));
            // On DSQL the reset would succeed inside a transaction.
            case AURORA_DSQL, MYSQL, H2 -> execute(connection, "ROLLBACK");
            case POSTGRESQL, FIREBIRD -> {}
            case GENERIC -> {
                if (surelyTouched) {
                    throw new SQLException(
                            "a statement began or ended a transaction by SQL text, which can't be rolled back reliably"
                                    + " on this database: closing the connection");
                }
            }
        }
    }

    /**
     * Resets state that no JDBC call shows, as far as the database can: {@code SET} in plain SQL, temporary tables, locks.
     * Does nothing on H2, Firebird before 4 and unknown databases. Follows {@link #endTransaction}.
     *
     * @param surelyTouched whether a text, a call or the driver's own methods may have left something: then SQL Server and MySQL
     *     fail where their driver can't reset
     */
    public void reset(Connection connection, boolean surelyTouched) throws SQLException {
        switch (this) {
            case POSTGRESQL -> {
                if (!connection.getAutoCommit()) {
                    connection.setAutoCommit(true); // DISCARD ALL can't run in a transaction
                }
                execute(connection, "DISCARD ALL");
            }
            case AURORA_DSQL -> resetDsql(connection);
            case MYSQL -> DriverReset.run(connection, surelyTouched);
            case FIREBIRD -> {
                if (connection.getMetaData().getDatabaseMajorVersion() >= 4) {
                    execute(connection, "ALTER SESSION RESET");
                }
            }
            case SQL_SERVER -> {
                if (SqlServerReset.isAvailable(connection)) {
                    SqlServerReset.run(connection);
                } else if (surelyTouched) {
                    throw new SQLException("the driver can't reset a session of SQL Server");
                }
            }
            case H2, GENERIC -> {}
        }
    }

    /** Whether {@link #reset} leaves the session in the database that a text chose: {@code USE}. */
    public boolean resetKeepsCatalog() {
        return this == MYSQL;
    }

    /**
     * SQL texts that restore the variables set by the login: MySQL's reset replaces them by the server's defaults, while
     * the driver still relies on the values that it negotiated. The isolation level comes last: MariaDB's driver knows it
     * from the session tracking that the first text turns on again, and does not send a level that it believes to be set.
     * Empty if the reset keeps all variables.
     */
    public List<String> variablesOfLogin(Connection connection) throws SQLException {
        if (this != MYSQL) {
            return List.of();
        }
        Map<String, String> found = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SHOW SESSION VARIABLES WHERE Variable_name IN ('session_track_system_variables', 'sql_mode',"
                                + " 'character_set_client', 'character_set_results', 'collation_connection', 'time_zone',"
                                + " 'transaction_isolation', 'tx_isolation')")) {
            while (rows.next()) {
                String value = rows.getString(2);
                String text =
                        value == null || (value.isEmpty() && rows.getString(1).startsWith("character_set"))
                                ? "NULL" // results as they are stored
                                : "'" + value.replace("'", "''") + "'";
                found.put(rows.getString(1), text);
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        String old = found.remove("tx_isolation"); // the older name, which some versions have in addition
        String isolation = found.remove("transaction_isolation");
        StringJoiner set = new StringJoiner(", ", "SET ", "");
        found.forEach((name, value) -> set.add(name + " = " + value));
        return List.of(
                set.toString(),
                isolation == null ? "SET tx_isolation = " + old : "SET transaction_isolation = " + isolation);
    }

    /** @param usual null if there was none: no statement restores that */
    public void putBackCatalog(Connection connection, @Nullable String usual) throws SQLException {
        if (!resetKeepsCatalog() || Objects.equals(usual, connection.getCatalog())) {
            return;
        }
        if (usual == null) {
            throw new SQLException("a statement chose a database, and the connection had none before");
        }
        connection.setCatalog(usual);
    }

    /** DSQL has no DISCARD. RESET ALL resets everything except the role; temporary tables and locks do not exist. */
    private static void resetDsql(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        execute(connection, "RESET ALL");
        String login = connection.getMetaData().getUserName();
        if (!isRole(connection, login)) {
            execute(connection, "RESET ROLE");
            if (!isRole(connection, login)) {
                throw new SQLException("the role of the session could not be set back to " + login);
            }
        }
    }

    private static boolean isRole(Connection connection, String login) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT session_user, current_user")) {
            return rows.next() && login.equals(rows.getString(1)) && login.equals(rows.getString(2));
        }
    }

    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
