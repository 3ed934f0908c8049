package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import dev.comporta.testkit.Jdbc;
import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The scenarios through JDBC. Subclasses say how to connect, and what JDBC leaves to the driver. */
abstract class JdbcDriver implements Driver {
    private static final int ROWS_TO_LOAD = 1000;

    abstract Connection connect(Target target) throws SQLException;

    /** A column's value in the class that loses nothing. */
    abstract @Nullable Object read(ResultSet rows, int column) throws SQLException;

    abstract void bulkLoad(Connection connection, String table, List<@Nullable Object[]> rows) throws SQLException;

    abstract void reset(Target target, Facts facts) throws SQLException;

    @Override
    public Facts play(Scenario scenario, Target target, String table) throws Exception {
        Facts facts = new Facts();
        switch (scenario) {
            case LOGIN_FAILED -> facts.add("login", errorOf(() -> connect(target.withPassword("wrong"))));
            case UNKNOWN_DATABASE ->
                facts.add("login", errorOf(() -> connect(target.withDatabase("no_such_database"))));
            case RESET -> reset(target, facts);
            case TEMP_TABLE -> {
                try (Connection connection = opened(target, facts);
                        Connection other = opened(target, facts)) {
                    tempTable(connection, other, facts);
                }
            }
            default -> {
                try (Connection connection = opened(target, facts)) {
                    play(scenario, connection, table, facts);
                }
            }
        }
        return facts;
    }

    /** A connection, and what it tells of the server and of its session. */
    private Connection opened(Target target, Facts facts) throws SQLException {
        Connection connection = connect(target);
        DatabaseMetaData server = connection.getMetaData();
        facts.addBesides(server.getDatabaseProductName() + " " + server.getDatabaseProductVersion());
        facts.addBesides("user " + server.getUserName() + ", database " + connection.getCatalog() + ", isolation "
                + connection.getTransactionIsolation());
        for (SQLWarning warning = connection.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            facts.addBesides(warning.getErrorCode() + " " + warning.getMessage());
        }
        return connection;
    }

    private void play(Scenario scenario, Connection connection, String table, Facts facts) throws Exception {
        switch (scenario) {
            case EVERY_TYPE -> everyType(connection, facts);
            case PARAMETERS -> parameters(connection, facts);
            case PREPARED -> prepared(connection, table, facts);
            case COMMITTED -> {
                inTransaction(connection, table, facts);
                connection.commit();
            }
            case ROLLED_BACK -> {
                inTransaction(connection, table, facts);
                connection.rollback();
                facts.add("after", Jdbc.ask(connection, "SELECT COUNT(*) FROM " + table));
                connection.commit();
            }
            case PROCEDURE -> procedure(connection, facts);
            case MANY_ROWS -> manyRows(connection, facts);
            case SEVERAL_RESULTS -> severalResults(connection, table, facts);
            case LARGE_VALUE -> largeValue(connection, facts);
            case CURSOR -> cursor(connection, facts);
            case CANCELLED -> cancelled(connection, facts);
            case BULK_LOAD -> {
                bulkLoad(connection, table, rowsToLoad());
                facts.add("loaded");
            }
            case ERRORS -> errors(connection, table, facts);
            case TEMP_TABLE, RESET, LOGIN_FAILED, UNKNOWN_DATABASE ->
                throw new IllegalArgumentException(scenario + " needs connections of its own");
        }
    }

    private void everyType(Connection connection, Facts facts) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT " + EveryType.columns(traits()) + " FROM every_type ORDER BY id")) {
            for (int row = 1; rows.next(); row++) {
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    facts.add("row " + row + " " + rows.getMetaData().getColumnName(column), read(rows, column));
                }
            }
        }
    }

    private void parameters(Connection connection, Facts facts) throws SQLException {
        List<String> names =
                List.of("int", "bigint", "bit", "decimal", "float", "nvarchar", "varbinary", "datetime", "null");
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT CAST(? AS int), CAST(? AS bigint), CAST(? AS bit), CAST(? AS decimal(18,4)), CAST(? AS float),"
                        + " CAST(? AS nvarchar(50)), CAST(? AS varbinary(20)), CAST(? AS datetime), CAST(? AS int)")) {
            statement.setInt(1, Integer.MIN_VALUE);
            statement.setLong(2, 9007199254740993L);
            statement.setBoolean(3, true);
            statement.setBigDecimal(4, new BigDecimal("12345.6789"));
            statement.setDouble(5, 0.1);
            statement.setString(6, "olá 日本語 😀");
            statement.setBytes(7, new byte[] {0, (byte) 0xFF, 0x10});
            statement.setTimestamp(8, Timestamp.valueOf(LocalDateTime.of(2024, 2, 29, 12, 34, 56, 790_000_000)));
            statement.setNull(9, Types.INTEGER);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                for (int column = 1; column <= names.size(); column++) {
                    facts.add(names.get(column - 1), read(rows, column));
                }
            }
        }
    }

    private static void prepared(Connection connection, String table, Facts facts) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO " + table + " (id, name) VALUES (?, ?)");
                PreparedStatement select = connection.prepareStatement("SELECT name FROM " + table + " WHERE id = ?")) {
            for (int id = 1; id <= 20; id++) {
                insert.setInt(1, id);
                insert.setString(2, "row " + id);
                insert.executeUpdate();
            }
            for (int id = 1; id <= 20; id++) {
                select.setInt(1, id);
                try (ResultSet rows = select.executeQuery()) {
                    rows.next();
                    names.add(rows.getString(1));
                }
            }
        }
        facts.add("names", String.join(",", names));
    }

    private static void inTransaction(Connection connection, String table, Facts facts) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + " (id, name) VALUES (?, 'kept')")) {
            insert.setInt(1, 1);
            insert.executeUpdate();
        }
        facts.add("inside", Jdbc.ask(connection, "SELECT COUNT(*) FROM " + table));
    }

    private static void tempTable(Connection connection, Connection other, Facts facts) throws SQLException {
        Jdbc.run(connection, "CREATE TABLE #mine (n int)");
        Jdbc.run(connection, "INSERT INTO #mine VALUES (1), (2)");
        facts.add("own", Jdbc.ask(connection, "SELECT SUM(n) FROM #mine"));
        facts.add("other", errorOf(() -> Jdbc.ask(other, "SELECT n FROM #mine")));
    }

    private static void procedure(Connection connection, Facts facts) throws SQLException {
        try (CallableStatement call = connection.prepareCall("{? = call matrix_add(?, ?, ?, ?)}")) {
            call.registerOutParameter(1, Types.INTEGER);
            call.setInt(2, 20);
            call.setInt(3, 22);
            call.registerOutParameter(4, Types.INTEGER);
            call.registerOutParameter(5, Types.VARCHAR);
            try (ResultSet rows = call.executeQuery()) {
                rows.next();
                facts.add("row", rows.getInt(1));
            }
            facts.add("sum", call.getInt(4));
            facts.add("said", call.getString(5));
            facts.add("status", call.getInt(1));
        }
    }

    private static void manyRows(Connection connection, Facts facts) throws SQLException {
        int count = 0;
        long sum = 0;
        long characters = 0;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, name FROM hundred_thousand")) {
            while (rows.next()) {
                count++;
                sum += rows.getInt(1);
                characters += rows.getString(2).length();
            }
        }
        facts.add("rows", count);
        facts.add("sum", sum);
        facts.add("characters", characters);
    }

    private static void severalResults(Connection connection, String table, Facts facts) throws SQLException {
        List<String> results = new ArrayList<>();
        List<String> said = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean isResult = statement.execute("SELECT 1 AS a; INSERT INTO " + table
                    + " (id, name) VALUES (1, 'one'), (2, 'two'); SELECT name FROM " + table
                    + " ORDER BY id; PRINT 'done'");
            while (isResult || statement.getUpdateCount() >= 0) {
                results.add(isResult ? column(statement.getResultSet()) : "" + statement.getUpdateCount());
                isResult = statement.getMoreResults();
            }
            for (var warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                said.add(warning.getMessage());
            }
        }
        facts.add("first", results.get(0));
        facts.add("inserted", results.get(1));
        facts.add("names", results.get(2));
        facts.add("said", String.join(",", said));
    }

    private static String column(ResultSet rows) throws SQLException {
        List<String> values = new ArrayList<>();
        while (rows.next()) {
            values.add(rows.getString(1));
        }
        return String.join(",", values);
    }

    private static void largeValue(Connection connection, Facts facts) throws SQLException {
        String sent = "0123456789".repeat(100_000);
        try (PreparedStatement statement = connection.prepareStatement("SELECT CAST(? AS nvarchar(max))")) {
            statement.setString(1, sent);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                String got = rows.getString(1);
                facts.add("length", got.length());
                facts.add("same", got.equals(sent));
            }
        }
    }

    private static void cursor(Connection connection, Facts facts) throws SQLException {
        long sum = 0;
        int count = 0;
        try (Statement statement =
                connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)) {
            statement.setFetchSize(64);
            try (ResultSet rows =
                    statement.executeQuery("SELECT id FROM hundred_thousand WHERE id <= 1000 ORDER BY id")) {
                while (rows.next()) {
                    count++;
                    sum += rows.getInt(1);
                }
                // Only a server cursor, or a client that kept everything, can go back.
                rows.absolute(500);
                if (rows.getInt(1) != 500) {
                    throw new AssertionError("row 500 is " + rows.getInt(1));
                }
            }
        }
        facts.add("rows", count);
        facts.add("sum", sum);
    }

    private static void cancelled(Connection connection, Facts facts) throws Exception {
        try (Statement statement = connection.createStatement()) {
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(
                    () -> errorOf(() -> statement.execute("WAITFOR DELAY '00:01:00'")),
                    task -> Thread.ofVirtual().start(task));
            // Again until it ends: a cancel that comes before the request was sent cancels nothing.
            while (!waiting.isDone()) {
                statement.cancel();
                try {
                    waiting.get(100, TimeUnit.MILLISECONDS);
                } catch (TimeoutException stillWaiting) {
                    continue;
                }
            }
            facts.add(waiting.get().equals("no error") ? "not cancelled" : "cancelled");
        }
        facts.add("then", Jdbc.ask(connection, "SELECT 1"));
    }

    private static void errors(Connection connection, String table, Facts facts) throws SQLException {
        String insert = "INSERT INTO " + table + " (id, name) VALUES (1, 'one')";
        facts.add("missing table", errorOf(() -> Jdbc.ask(connection, "SELECT * FROM no_such_table")));
        Jdbc.run(connection, insert);
        facts.add("duplicate key", errorOf(() -> Jdbc.run(connection, insert)));
        facts.add("syntax", errorOf(() -> Jdbc.run(connection, "SELECT 1 +")));
        facts.add("division by zero", errorOf(() -> Jdbc.ask(connection, "SELECT 1 / (1 - 1)")));
        try {
            Jdbc.run(connection, "RAISERROR('the gate is closed', 16, 1)");
        } catch (SQLException raised) {
            facts.add("raised", raised.getErrorCode() + " " + raised.getMessage());
        }
        facts.add("then", Jdbc.ask(connection, "SELECT 1"));
    }

    private static List<@Nullable Object[]> rowsToLoad() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int id = 1; id <= ROWS_TO_LOAD; id++) {
            rows.add(new @Nullable Object[] {id, id % 10 == 0 ? null : "row " + id, BigDecimal.valueOf(id * 25L, 2)});
        }
        return rows;
    }

    interface Action {
        void run() throws SQLException;
    }

    /** The number of the error that the action must end with. */
    static String errorOf(Action action) {
        try {
            action.run();
            return "no error";
        } catch (SQLException error) {
            return error.getErrorCode() != 0 ? "" + error.getErrorCode() : error.toString();
        }
    }
}
