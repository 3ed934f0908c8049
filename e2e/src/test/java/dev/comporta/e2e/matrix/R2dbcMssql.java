package dev.comporta.e2e.matrix;

import dev.comporta.e2e.Target;
import io.r2dbc.mssql.MssqlConnection;
import io.r2dbc.mssql.MssqlConnectionConfiguration;
import io.r2dbc.mssql.MssqlConnectionFactory;
import io.r2dbc.mssql.MssqlResult;
import io.r2dbc.mssql.MssqlStatement;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Result;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The reactive driver, called in blocking style. With parameters it reads through server cursors, as is its way. */
final class R2dbcMssql implements Driver {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @Override
    public String name() {
        return "r2dbc-mssql";
    }

    @Override
    public Traits traits() {
        return Traits.EXACT
                .unable(EveryType.XML, "it does not know the type")
                .unable(EveryType.SQL_VARIANT, "it does not know the type")
                .unable(EveryType.SMALLMONEY, "it can't decode it");
    }

    private static MssqlConnection connect(Target target) {
        return wait(new MssqlConnectionFactory(MssqlConnectionConfiguration.builder()
                        .host(target.host())
                        .port(target.port())
                        .username(target.user())
                        .password(target.password())
                        .database(target.database())
                        .trustServerCertificate()
                        // It names no host to Netty's TLS, which since 4.2 would compare it with the certificate.
                        .sslContextBuilderCustomizer(tls -> tls.endpointIdentificationAlgorithm(null))
                        .connectTimeout(Duration.ofSeconds(20))
                        .build())
                .create());
    }

    @Override
    public List<String> play(Scenario scenario, Target target, String table) {
        Facts facts = new Facts();
        switch (scenario) {
            case LOGIN_FAILED -> facts.add("login", errorOf(() -> connect(target.withPassword("wrong"))));
            case UNKNOWN_DATABASE ->
                facts.add("login", errorOf(() -> connect(target.withDatabase("no_such_database"))));
            default -> {
                MssqlConnection connection = connect(target);
                try {
                    play(scenario, connection, target, table, facts);
                } finally {
                    connection.close().block(PATIENCE);
                }
            }
        }
        return facts.found();
    }

    private void play(Scenario scenario, MssqlConnection connection, Target target, String table, Facts facts) {
        switch (scenario) {
            case EVERY_TYPE -> everyType(connection, facts);
            case PARAMETERS -> parameters(connection, facts);
            case PREPARED -> prepared(connection, table, facts);
            case COMMITTED -> {
                inTransaction(connection, table, facts);
                connection.commitTransaction().block(PATIENCE);
            }
            case ROLLED_BACK -> {
                inTransaction(connection, table, facts);
                connection.rollbackTransaction().block(PATIENCE);
                facts.add("after", one(connection, "SELECT COUNT(*) FROM " + table));
            }
            case TEMP_TABLE -> tempTable(connection, target, facts);
            case PROCEDURE -> procedure(connection, facts);
            case MANY_ROWS -> manyRows(connection, facts);
            case SEVERAL_RESULTS -> severalResults(connection, table, facts);
            case LARGE_VALUE -> largeValue(connection, facts);
            case CURSOR -> cursor(connection, facts);
            case CANCELLED -> cancelled(connection, facts);
            case ERRORS -> errors(connection, table, facts);
            case BULK_LOAD, RESET, LOGIN_FAILED, UNKNOWN_DATABASE ->
                throw new IllegalArgumentException("r2dbc-mssql does not play " + scenario);
        }
    }

    private void everyType(MssqlConnection connection, Facts facts) {
        List<List<String>> rows = wait(Flux.from(connection
                        .createStatement("SELECT " + EveryType.columns(traits()) + " FROM every_type ORDER BY id")
                        .execute())
                .flatMap(result -> result.map((row, metadata) -> metadata.getColumnMetadatas().stream()
                        .map(column -> column.getName() + "=" + shown(row.get(column.getName())))
                        .toList()))
                .collectList());
        for (int row = 0; row < rows.size(); row++) {
            for (String fact : rows.get(row)) {
                facts.add("row " + (row + 1) + " " + fact);
            }
        }
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return Shown.value(bytes);
        }
        return Shown.value(value);
    }

    private static void parameters(MssqlConnection connection, Facts facts) {
        List<String> names =
                List.of("int", "bigint", "bit", "decimal", "float", "nvarchar", "varbinary", "datetime", "null");
        String select = "SELECT CAST(@int AS int), CAST(@bigint AS bigint), CAST(@bit AS bit),"
                + " CAST(@decimal AS decimal(18,4)), CAST(@float AS float), CAST(@nvarchar AS nvarchar(50)),"
                + " CAST(@varbinary AS varbinary(20)), CAST(@datetime AS datetime), CAST(@null AS int)";
        MssqlStatement statement = connection
                .createStatement(select)
                .bind("int", Integer.MIN_VALUE)
                .bind("bigint", 9007199254740993L)
                .bind("bit", true)
                .bind("decimal", new BigDecimal("12345.6789"))
                .bind("float", 0.1)
                .bind("nvarchar", "olá 日本語 😀")
                .bind("varbinary", ByteBuffer.wrap(new byte[] {0, (byte) 0xFF, 0x10}))
                .bind("datetime", LocalDateTime.of(2024, 2, 29, 12, 34, 56, 790_000_000))
                .bindNull("null", Integer.class);
        List<String> values = wait(statement
                .execute()
                .flatMap(result -> result.map((row, metadata) -> {
                    List<String> shown = new ArrayList<>();
                    for (int column = 0; column < names.size(); column++) {
                        shown.add(names.get(column) + "=" + shown(row.get(column)));
                    }
                    return shown;
                }))
                .single());
        values.forEach(facts::add);
    }

    private static void prepared(MssqlConnection connection, String table, Facts facts) {
        List<String> names = new ArrayList<>();
        for (int id = 1; id <= 20; id++) {
            wait(connection
                    .createStatement("INSERT INTO " + table + " (id, name) VALUES (@id, @name)")
                    .bind("id", id)
                    .bind("name", "row " + id)
                    .execute()
                    .flatMap(MssqlResult::getRowsUpdated)
                    .then(Mono.just(true)));
        }
        for (int id = 1; id <= 20; id++) {
            names.add(wait(connection
                    .createStatement("SELECT name FROM " + table + " WHERE id = @id")
                    .bind("id", id)
                    .execute()
                    .flatMap(result -> result.map((row, metadata) -> Objects.requireNonNull(row.get(0, String.class))))
                    .single()));
        }
        facts.add("names", String.join(",", names));
    }

    private static void inTransaction(MssqlConnection connection, String table, Facts facts) {
        connection.beginTransaction().block(PATIENCE);
        run(connection, "INSERT INTO " + table + " (id, name) VALUES (1, 'kept')");
        facts.add("inside", one(connection, "SELECT COUNT(*) FROM " + table));
    }

    private static void tempTable(MssqlConnection connection, Target target, Facts facts) {
        MssqlConnection other = connect(target);
        run(connection, "CREATE TABLE #mine (n int)");
        run(connection, "INSERT INTO #mine VALUES (1), (2)");
        facts.add("own", one(connection, "SELECT SUM(n) FROM #mine"));
        facts.add("other", errorOf(() -> one(other, "SELECT n FROM #mine")));
        other.close().block(PATIENCE);
    }

    private static void procedure(MssqlConnection connection, Facts facts) {
        List<String> found = wait(connection
                .createStatement("EXEC @status = matrix_add @a, @b, @sum OUTPUT, @said OUTPUT")
                .bind("status", Parameters.out(R2dbcType.INTEGER))
                .bind("a", 20)
                .bind("b", 22)
                .bind("sum", Parameters.out(R2dbcType.INTEGER))
                .bind("said", Parameters.out(R2dbcType.NVARCHAR))
                .execute()
                .flatMap(result -> result.flatMap(R2dbcMssql::rowOrOutput))
                .collectList());
        found.forEach(facts::add);
    }

    private static Flux<String> rowOrOutput(Result.Segment segment) {
        return switch (segment) {
            case Result.RowSegment row -> Flux.just("row=" + row.row().get(0));
            case Result.OutSegment out ->
                Flux.just(
                        "sum=" + out.outParameters().get("sum"),
                        "said=" + out.outParameters().get("said"),
                        "status=" + out.outParameters().get("status"));
            case Result.Message message -> Flux.error(message.exception());
            default -> Flux.empty();
        };
    }

    private static void manyRows(MssqlConnection connection, Facts facts) {
        AtomicLong sum = new AtomicLong();
        AtomicLong characters = new AtomicLong();
        long count = wait(connection
                .createStatement("SELECT id, name FROM hundred_thousand")
                .execute()
                .flatMap(result -> result.map((row, metadata) -> {
                    sum.addAndGet(Objects.requireNonNull(row.get(0, Integer.class)));
                    characters.addAndGet(
                            Objects.requireNonNull(row.get(1, String.class)).length());
                    return true;
                }))
                .count());
        facts.add("rows", count);
        facts.add("sum", sum);
        facts.add("characters", characters);
    }

    private static void severalResults(MssqlConnection connection, String table, Facts facts) {
        // Between the results of a batch the driver tells no counts: so it is asked of a statement alone.
        long inserted = wait(connection
                .createStatement("INSERT INTO " + table + " (id, name) VALUES (1, 'one'), (2, 'two')")
                .execute()
                .flatMap(MssqlResult::getRowsUpdated)
                .next());
        List<String> segments = wait(connection
                .createStatement("SELECT 1 AS a; UPDATE " + table + " SET amount = NULL; SELECT name FROM " + table
                        + " ORDER BY id; PRINT 'done'")
                .execute()
                .concatMap(result -> result.flatMap(segment -> Flux.just(
                        switch (segment) {
                            case Result.RowSegment row -> "row " + row.row().get(0);
                            case Result.Message message -> "said " + message.message();
                            default -> "other " + segment;
                        })))
                .collectList());
        List<String> rows = startingWith(segments, "row ");
        facts.add("first", rows.getFirst());
        facts.add("inserted", inserted);
        facts.add("names", String.join(",", rows.subList(1, rows.size())));
        facts.add("said", String.join(",", startingWith(segments, "said ")));
    }

    private static List<String> startingWith(List<String> segments, String start) {
        return segments.stream()
                .filter(segment -> segment.startsWith(start))
                .map(segment -> segment.substring(start.length()))
                .toList();
    }

    private static void largeValue(MssqlConnection connection, Facts facts) {
        String sent = "0123456789".repeat(100_000);
        String got = wait(connection
                .createStatement("SELECT CAST(@value AS nvarchar(max))")
                .bind("value", sent)
                .execute()
                .flatMap(result -> result.map((row, metadata) -> Objects.requireNonNull(row.get(0, String.class))))
                .single());
        facts.add("length", got.length());
        facts.add("same", got.equals(sent));
    }

    private static void cursor(MssqlConnection connection, Facts facts) {
        List<Integer> ids = wait(connection
                .createStatement("SELECT id FROM hundred_thousand WHERE id <= @most ORDER BY id")
                .bind("most", 1000)
                .fetchSize(64)
                .execute()
                .flatMap(result -> result.map((row, metadata) -> Objects.requireNonNull(row.get(0, Integer.class))))
                .collectList());
        facts.add("rows", ids.size());
        facts.add("sum", ids.stream().mapToLong(Integer::longValue).sum());
    }

    /** The driver has no cancel of its own; when a statement's time is up, it sends an attention. */
    private static void cancelled(MssqlConnection connection, Facts facts) {
        connection.setStatementTimeout(Duration.ofSeconds(1)).block(PATIENCE);
        try {
            run(connection, "WAITFOR DELAY '00:01:00'");
            facts.add("not cancelled");
        } catch (R2dbcTimeoutException timeout) {
            facts.add("cancelled");
        }
        connection.setStatementTimeout(Duration.ZERO).block(PATIENCE);
        facts.add("then", one(connection, "SELECT 1"));
    }

    private static void errors(MssqlConnection connection, String table, Facts facts) {
        String insert = "INSERT INTO " + table + " (id, name) VALUES (1, 'one')";
        facts.add("missing table", errorOf(() -> one(connection, "SELECT * FROM no_such_table")));
        run(connection, insert);
        facts.add("duplicate key", errorOf(() -> run(connection, insert)));
        facts.add("syntax", errorOf(() -> run(connection, "SELECT 1 +")));
        facts.add("division by zero", errorOf(() -> one(connection, "SELECT 1 / (1 - 1)")));
        try {
            run(connection, "RAISERROR('the gate is closed', 16, 1)");
        } catch (R2dbcException raised) {
            facts.add("raised", raised.getErrorCode() + " " + raised.getMessage());
        }
        facts.add("then", one(connection, "SELECT 1"));
    }

    private static void run(MssqlConnection connection, String sql) {
        wait(connection
                .createStatement(sql)
                .execute()
                .flatMap(MssqlResult::getRowsUpdated)
                .then(Mono.just(true)));
    }

    private static String one(MssqlConnection connection, String sql) {
        return wait(connection
                .createStatement(sql)
                .execute()
                .flatMap(result -> result.map((row, metadata) -> Shown.value(row.get(0))))
                .next());
    }

    private static <T> T wait(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE), "it ended without a value");
    }

    private static String errorOf(Runnable action) {
        try {
            action.run();
            return "no error";
        } catch (R2dbcException error) {
            return "" + error.getErrorCode();
        }
    }
}
