package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.mssqlclient.MSSQLConnectOptions;
import io.vertx.mssqlclient.MSSQLConnection;
import io.vertx.mssqlclient.MSSQLException;
import io.vertx.sqlclient.Cursor;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.Tuple;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The reactive driver of Vert.x, called in blocking style. */
record VertxMssql(Tls tls) implements Driver {
    private static final int PATIENCE_SECONDS = 40;

    /** Its threads and what it loads, for all plays of this JVM. */
    private static final class Shared {
        static final Vertx VERTX = Vertx.vertx();
    }

    @Override
    public String name() {
        return "vertx-mssql-client" + tls.suffix();
    }

    @Override
    public Traits traits() {
        return Traits.EXACT
                .unable(EveryType.XML, "it does not know the type")
                .unable(EveryType.SQL_VARIANT, "it does not know the type")
                .unable(EveryType.SMALLMONEY, "it rounds it to two digits");
    }

    @Override
    public Facts play(Scenario scenario, Target target, String table) throws Exception {
        List<MSSQLConnection> open = new ArrayList<>();
        Facts facts = new Facts();
        try {
            switch (scenario) {
                case LOGIN_FAILED -> facts.add("login", errorOf(() -> connect(open, target.withPassword("wrong"))));
                case UNKNOWN_DATABASE ->
                    facts.add("login", errorOf(() -> connect(open, target.withDatabase("no_such_database"))));
                case TEMP_TABLE -> tempTable(connect(open, target), connect(open, target), facts);
                default -> play(scenario, connect(open, target), table, facts);
            }
        } finally {
            for (MSSQLConnection connection : open) {
                wait(connection.close());
            }
        }
        return facts;
    }

    private MSSQLConnection connect(List<MSSQLConnection> open, Target target) throws Exception {
        MSSQLConnectOptions options = new MSSQLConnectOptions()
                .setHost(target.host())
                .setPort(target.port())
                .setUser(target.user())
                .setPassword(target.password())
                .setDatabase(target.database());
        if (tls == Tls.ON) {
            options.setSsl(true).setSslOptions(new ClientSSLOptions().setTrustAll(true));
        }
        MSSQLConnection connection = wait(MSSQLConnection.connect(Shared.VERTX, options));
        open.add(connection);
        return connection;
    }

    private void play(Scenario scenario, MSSQLConnection connection, String table, Facts facts) throws Exception {
        switch (scenario) {
            case EVERY_TYPE -> everyType(connection, facts);
            case PARAMETERS -> parameters(connection, facts);
            case PREPARED -> prepared(connection, table, facts);
            case COMMITTED -> wait(inTransaction(connection, table, facts).commit());
            case ROLLED_BACK -> {
                wait(inTransaction(connection, table, facts).rollback());
                facts.add("after", one(connection, "SELECT COUNT(*) FROM " + table));
            }
            case PROCEDURE -> procedure(connection, facts);
            case MANY_ROWS -> manyRows(connection, facts);
            case SEVERAL_RESULTS -> severalResults(connection, table, facts);
            case LARGE_VALUE -> largeValue(connection, facts);
            case CURSOR -> cursor(connection, facts);
            case ERRORS -> errors(connection, table, facts);
            case TEMP_TABLE, CANCELLED, BULK_LOAD, RESET, LOGIN_FAILED, UNKNOWN_DATABASE ->
                throw new IllegalArgumentException(name() + " does not play " + scenario);
        }
    }

    private void everyType(MSSQLConnection connection, Facts facts) throws Exception {
        int number = 1;
        for (Row row : query(connection, "SELECT " + EveryType.columns(traits()) + " FROM every_type ORDER BY id")) {
            for (int column = 0; column < row.size(); column++) {
                facts.add("row " + number + " " + row.getColumnName(column) + "=" + shown(row.getValue(column)));
            }
            number++;
        }
    }

    private static String shown(@Nullable Object value) {
        return Shown.value(value instanceof Buffer buffer ? buffer.getBytes() : value);
    }

    private static void parameters(MSSQLConnection connection, Facts facts) throws Exception {
        List<String> names =
                List.of("int", "bigint", "bit", "decimal", "float", "nvarchar", "varbinary", "datetime", "null");
        Tuple sent = Tuple.tuple()
                .addInteger(Integer.MIN_VALUE)
                .addLong(9007199254740993L)
                .addBoolean(true)
                .addBigDecimal(new BigDecimal("12345.6789"))
                .addDouble(0.1)
                .addString("olá 日本語 😀")
                .addBuffer(Buffer.buffer(new byte[] {0, (byte) 0xFF, 0x10}))
                .addLocalDateTime(LocalDateTime.of(2024, 2, 29, 12, 34, 56, 790_000_000))
                .addValue(null);
        Row row = wait(connection
                        .preparedQuery("SELECT CAST(@p1 AS int), CAST(@p2 AS bigint), CAST(@p3 AS bit),"
                                + " CAST(@p4 AS decimal(18,4)), CAST(@p5 AS float), CAST(@p6 AS nvarchar(50)),"
                                + " CAST(@p7 AS varbinary(20)), CAST(@p8 AS datetime), CAST(@p9 AS int)")
                        .execute(sent))
                .iterator()
                .next();
        for (int column = 0; column < names.size(); column++) {
            facts.add(names.get(column) + "=" + shown(row.getValue(column)));
        }
    }

    private static void prepared(MSSQLConnection connection, String table, Facts facts) throws Exception {
        List<String> names = new ArrayList<>();
        PreparedStatement insert = wait(connection.prepare("INSERT INTO " + table + " (id, name) VALUES (@p1, @p2)"));
        PreparedStatement select = wait(connection.prepare("SELECT name FROM " + table + " WHERE id = @p1"));
        for (int id = 1; id <= 20; id++) {
            wait(insert.query().execute(Tuple.of(id, "row " + id)));
        }
        for (int id = 1; id <= 20; id++) {
            names.add(
                    wait(select.query().execute(Tuple.of(id))).iterator().next().getString(0));
        }
        wait(insert.close());
        wait(select.close());
        facts.add("names", String.join(",", names));
    }

    private static Transaction inTransaction(MSSQLConnection connection, String table, Facts facts) throws Exception {
        Transaction transaction = wait(connection.begin());
        query(connection, "INSERT INTO " + table + " (id, name) VALUES (1, 'kept')");
        facts.add("inside", one(connection, "SELECT COUNT(*) FROM " + table));
        return transaction;
    }

    private static void tempTable(MSSQLConnection connection, MSSQLConnection other, Facts facts) throws Exception {
        query(connection, "CREATE TABLE #mine (n int)");
        query(connection, "INSERT INTO #mine VALUES (1), (2)");
        facts.add("own", one(connection, "SELECT SUM(n) FROM #mine"));
        facts.add("other", errorOf(() -> query(other, "SELECT n FROM #mine")));
    }

    /** The driver has no output parameters: the batch takes them and selects them. */
    private static void procedure(MSSQLConnection connection, Facts facts) throws Exception {
        List<Row> rows = new ArrayList<>();
        RowSet<Row> result = query(
                connection,
                "DECLARE @sum int, @said nvarchar(40), @status int;"
                        + " EXEC @status = matrix_add 20, 22, @sum OUTPUT, @said OUTPUT;"
                        + " SELECT @sum, @said, @status");
        // The procedure's own end counts as a result too, without rows.
        for (RowSet<Row> each = result; each != null; each = each.next()) {
            each.forEach(rows::add);
        }
        facts.add("row", rows.get(0).getValue(0));
        facts.add("sum", rows.get(1).getValue(0));
        facts.add("said", rows.get(1).getValue(1));
        facts.add("status", rows.get(1).getValue(2));
    }

    private static void manyRows(MSSQLConnection connection, Facts facts) throws Exception {
        int count = 0;
        long sum = 0;
        long characters = 0;
        for (Row row : query(connection, "SELECT id, name FROM hundred_thousand")) {
            count++;
            sum += row.getInteger(0);
            characters += row.getString(1).length();
        }
        facts.add("rows", count);
        facts.add("sum", sum);
        facts.add("characters", characters);
    }

    private static void severalResults(MSSQLConnection connection, String table, Facts facts) throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        connection.infoHandler(info -> said.add(info.getMessage()));
        RowSet<Row> first = query(
                connection,
                "SELECT 1 AS a; INSERT INTO " + table + " (id, name) VALUES (1, 'one'), (2, 'two'); SELECT name FROM "
                        + table + " ORDER BY id; PRINT 'done'");
        RowSet<Row> inserted = first.next();
        List<String> names = new ArrayList<>();
        inserted.next().forEach(row -> names.add(row.getString(0)));
        facts.add("first", first.iterator().next().getValue(0));
        facts.add("inserted", inserted.rowCount());
        facts.add("names", String.join(",", names));
        facts.add("said", String.join(",", said));
    }

    private static void largeValue(MSSQLConnection connection, Facts facts) throws Exception {
        String sent = "0123456789".repeat(100_000);
        String got = wait(connection
                        .preparedQuery("SELECT CAST(@p1 AS nvarchar(max))")
                        .execute(Tuple.of(sent)))
                .iterator()
                .next()
                .getString(0);
        facts.add("length", got.length());
        facts.add("same", got.equals(sent));
    }

    private static void cursor(MSSQLConnection connection, Facts facts) throws Exception {
        PreparedStatement statement =
                wait(connection.prepare("SELECT id FROM hundred_thousand WHERE id <= @p1 ORDER BY id"));
        Cursor cursor = statement.cursor(Tuple.of(1000));
        int count = 0;
        long sum = 0;
        do {
            for (Row row : wait(cursor.read(64))) {
                count++;
                sum += row.getInteger(0);
            }
        } while (cursor.hasMore());
        wait(cursor.close());
        facts.add("rows", count);
        facts.add("sum", sum);
    }

    private static void errors(MSSQLConnection connection, String table, Facts facts) throws Exception {
        String insert = "INSERT INTO " + table + " (id, name) VALUES (1, 'one')";
        facts.add("missing table", errorOf(() -> query(connection, "SELECT * FROM no_such_table")));
        query(connection, insert);
        facts.add("duplicate key", errorOf(() -> query(connection, insert)));
        facts.add("syntax", errorOf(() -> query(connection, "SELECT 1 +")));
        facts.add("division by zero", errorOf(() -> query(connection, "SELECT 1 / (1 - 1)")));
        try {
            query(connection, "RAISERROR('the gate is closed', 16, 1)");
        } catch (MSSQLException raised) {
            facts.add("raised", raised.getErrorCode() + " " + raised.errorMessage());
        }
        facts.add("then", one(connection, "SELECT 1"));
    }

    private static RowSet<Row> query(MSSQLConnection connection, String sql) throws Exception {
        return wait(connection.query(sql).execute());
    }

    private static @Nullable Object one(MSSQLConnection connection, String sql) throws Exception {
        return query(connection, sql).iterator().next().getValue(0);
    }

    private interface Action {
        Object run() throws Exception;
    }

    private static String errorOf(Action action) throws Exception {
        try {
            action.run();
            return "no error";
        } catch (MSSQLException error) {
            return "" + error.getErrorCode();
        }
    }

    private static <T> T wait(Future<T> future) throws Exception {
        try {
            return future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MSSQLException error) {
                throw error;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("no answer in " + PATIENCE_SECONDS + " s", e);
        }
    }
}
