package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.getsError;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.comporta.console.Console;
import dev.comporta.console.ConsoleSession;
import dev.comporta.console.Operator;
import dev.comporta.console.sql.Command;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.View;
import dev.comporta.proxy.console.ConsoleAccess;
import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.login.Secret;
import dev.comporta.tds.packet.PacketHeader;
import dev.comporta.tds.packet.PacketType;
import dev.comporta.tds.token.DoneStatus;
import dev.comporta.testkit.LogLines;
import dev.comporta.testkit.RawClient;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.SocketException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The console over TDS: logins, types, prepared statements, cancels and limits. What it shows is tested elsewhere. */
@Timeout(60)
class ConsoleTest {
    private static final LocalDateTime SINCE = LocalDateTime.of(2026, 11, 17, 9, 30, 1, 250_000_000);

    /** 2,187 rows, a third of them of 10 KB: more than a system holds for a client that does not read. */
    private static final String LONG_ANSWER =
            "SELECT a.name FROM sys.things a, sys.things b, sys.things c, sys.things d,"
                    + " sys.things e, sys.things f, sys.things g";

    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private ProxyFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(1);
        List<Column> columns = List.of(
                Column.of("name", ColumnType.NVARCHAR),
                Column.of("up", ColumnType.BIT),
                Column.of("clients", ColumnType.INT),
                Column.of("bytes", ColumnType.BIGINT),
                Column.of("load", ColumnType.FLOAT),
                Column.of("since", ColumnType.DATETIME2));
        View view = View.of(
                "things",
                "THINGS",
                "Things.",
                columns,
                () -> List.of(
                        Row.of("önë", true, 7, 5_000_000_000L, 0.25, SINCE),
                        Row.of("two", null, null, null, null, null),
                        Row.of("x".repeat(5_000), false, -1, -1L, 1e300, SINCE)));
        Operator operator = (Operator) Proxy.newProxyInstance(
                Operator.class.getClassLoader(), new Class<?>[] {Operator.class}, (_, method, arguments) -> {
                    if (method.getName().equals("offered")) {
                        return EnumSet.allOf(Command.Kind.class);
                    }
                    commands.add(method.getName() + " "
                            + Arrays.toString(Arrays.copyOfRange(arguments, 1, arguments.length)) + " by "
                            + ((ConsoleSession) arguments[0]).facts().login());
                    if (method.getName().equals("drain")) {
                        mayEnd.await();
                    }
                    return "done: " + method.getName();
                });
        Console console = new Console("comporta", List.of(view), operator);
        fixture.proxy.openConsole(new ConsoleAccess() {
            @Override
            public boolean isServed(String database) {
                return database.equalsIgnoreCase("comporta");
            }

            @Override
            public boolean admits(String user, String password) {
                return user.equals("ops") && password.equals("Open-1");
            }

            @Override
            public Console console() {
                return console;
            }

            @Override
            public String serverName() {
                return "proxy-1";
            }

            @Override
            public String banner() {
                return "Comporta 1";
            }

            @Override
            public Executor executor() {
                return request -> Thread.ofVirtual().start(request);
            }
        });
    }

    @AfterEach
    void stop() {
        mayEnd.countDown();
        fixture.close();
    }

    private Connection connect(String options) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fixture.proxy.port()
                + ";databaseName=comporta;trustServerCertificate=true;user=ops;password=Open-1;" + options);
    }

    private RawClient raw(TdsVersion version) throws Exception {
        RawClient client = new RawClient(fixture.proxy.port(), version);
        assertThat(client.answerToLogin(login ->
                        login.userName("ops").password(Secret.ofText("Open-1")).database("comporta")))
                .anyMatch(token -> token.startsWith("LOGINACK"));
        return client;
    }

    /** But the one that is refused, and the one that is as 7.4, inside of TLS. */
    @ParameterizedTest
    @EnumSource(
            value = TdsVersion.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"V7_0", "V8_0"})
    void everyVersionIsAnsweredWithEveryType(TdsVersion version) throws Exception {
        try (RawClient client = raw(version)) {
            List<String> tokens = client.answerTo("SELECT TOP 2 name, up, clients, bytes, load, since FROM sys.things");
            String since = version.isAtLeast(TdsVersion.V7_3A) ? SINCE.toString() : "2026-11-17 09:30:01.2500000";
            String row = version.hasNullBitmapRows() ? "NBCROW" : "ROW";
            assertThat(tokens)
                    .contains(
                            "ROW [önë, true, 7, 5000000000, 0.25, " + since + "]",
                            row + " [two, null, null, null, null, null]")
                    .last()
                    .asString()
                    .startsWith("DONE 0x10 cmd 0xc1 count 2");
            assertThat(client.answerTo("SELECT LEN(name) FROM sys.things WHERE clients = -1"))
                    .contains("ROW [5000]");
        }
    }

    @Test
    void aDriverReadsItByAllItsWays() throws Exception {
        for (String options : List.of("encrypt=false", "encrypt=true", "encrypt=false;prepareMethod=prepare")) {
            try (Connection connection = connect(options)) {
                assertThat(ask(connection, "SELECT @@VERSION")).isEqualTo("Comporta 1");
                assertThat(ask(connection, "SHOW THINGS")).isEqualTo("önë");
                assertThat(ask(connection, "SELECT name FROM sys.things WHERE clients = -1"))
                        .hasSize(5_000);
                try (PreparedStatement statement = connection.prepareStatement(
                        "SELECT name, since FROM sys.things WHERE clients = ? OR name = ?")) {
                    for (int round = 0; round < 4; round++) {
                        statement.setInt(1, 7);
                        statement.setString(2, "nobody");
                        try (ResultSet rows = statement.executeQuery()) {
                            assertThat(rows.next()).isTrue();
                            assertThat(rows.getString(1)).isEqualTo("önë");
                            assertThat(rows.getTimestamp(2).toLocalDateTime()).isEqualTo(SINCE);
                            assertThat(rows.next()).isFalse();
                        }
                    }
                }
                connection.setAutoCommit(false);
                assertThat(ask(connection, "SELECT COUNT(*) FROM sys.things")).isEqualTo("3");
                connection.commit();
                connection.rollback();
            }
        }
    }

    @Test
    void aDriversCatalogIsThere() throws Exception {
        try (Connection connection = connect("encrypt=false")) {
            DatabaseMetaData catalog = connection.getMetaData();
            List<String> found = new ArrayList<>();
            try (ResultSet tables = catalog.getTables("comporta", null, "%", null)) {
                while (tables.next()) {
                    found.add(tables.getString("TABLE_SCHEM") + "." + tables.getString("TABLE_NAME"));
                }
            }
            assertThat(found).contains("sys.things");
            List<String> columns = new ArrayList<>();
            try (ResultSet described = catalog.getColumns("comporta", "sys", "things", "%")) {
                while (described.next()) {
                    columns.add(described.getString("COLUMN_NAME") + " " + described.getString("TYPE_NAME"));
                }
            }
            assertThat(columns)
                    .contains(
                            "name nvarchar", "up bit", "clients int", "bytes bigint", "load float", "since datetime2");
            try (ResultSet schemas = catalog.getSchemas()) {
                assertThat(schemas.next()).isTrue();
            }
            assertThat(catalog.getDatabaseProductName()).isEqualTo("Microsoft SQL Server");
        }
    }

    @Test
    void jtdsReadsIt() throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:jtds:sqlserver://127.0.0.1:" + fixture.proxy.port() + "/comporta", "ops", "Open-1");
                PreparedStatement statement =
                        connection.prepareStatement("SELECT bytes FROM sys.things WHERE name LIKE ?")) {
            assertThat(ask(connection, "SELECT name FROM sys.things WHERE clients = -1"))
                    .hasSize(5_000);
            for (int round = 0; round < 3; round++) {
                statement.setString(1, "ö%");
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    assertThat(rows.getLong(1)).isEqualTo(5_000_000_000L);
                }
            }
        }
    }

    @Test
    void commandsReachTheOperatorAndTheirAnswerTheClient() throws Exception {
        try (Connection connection = connect("encrypt=false");
                Statement statement = connection.createStatement()) {
            statement.execute("PAUSE orders");
            assertThat(statement.getWarnings().getMessage()).isEqualTo("done: pause");
            assertThat(commands).containsExactly("pause [orders] by ops");
        }
    }

    @Test
    void mistakesSayWhereTheyAreAndTheConnectionGoesOn() throws Exception {
        try (Connection connection = connect("encrypt=false")) {
            assertThatThrownBy(() -> run(connection, "SELECT nam FROM sys.things"))
                    .hasMessageContaining("line 1, column 8")
                    .hasMessageContaining("name");
            assertThatThrownBy(() -> run(connection, "DELETE FROM sys.things")).isInstanceOf(SQLException.class);
            assertThat(ask(connection, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void whoIsNotTheAdministratorIsRefusedAndLateForIt() throws Exception {
        long begun = System.nanoTime();
        for (String wrong :
                List.of("user=ops;password=Open-2", "user=web;password=Open-1", "user=sa;password=Secret-1")) {
            getsError(
                    18456,
                    () -> DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:"
                            + fixture.proxy.port()
                            + ";databaseName=Comporta;encrypt=false;connectRetryCount=0;" + wrong));
        }
        assertThat(System.nanoTime() - begun).isGreaterThan(3_000_000_000L);
        assertThat(fixture.server.counters().logins())
                .as("nobody asked the server")
                .isZero();
    }

    @Test
    void aCancelIsAcknowledgedBehindTheAnswer() throws Exception {
        try (RawClient client = raw(TdsVersion.V7_4)) {
            client.sendBatch("DRAIN");
            await().until(() -> !commands.isEmpty());
            client.sendAttention();
            mayEnd.countDown();
            assertThat(client.tokens()).anyMatch(token -> token.contains("done: drain"));
            assertThat(client.doneStatus() & DoneStatus.ATTN).isNotZero();
            client.sendAttention();
            assertThat(client.doneStatus() & DoneStatus.ATTN).isNotZero();
            assertThat(client.answerTo("SELECT 1")).contains("ROW [1]");
        }
    }

    @Test
    void aLongAnswerComesWholeToAClientThatReadsItLate() throws Exception {
        try (RawClient client = raw(TdsVersion.V7_4);
                RawClient other = raw(TdsVersion.V7_4)) {
            client.sendBatch(LONG_ANSWER);
            client.sendAttention();
            client.awaitBytes();
            for (int i = 0; i < 100; i++) {
                assertThat(other.answerTo("SELECT 1")).contains("ROW [1]");
            }
            List<String> tokens = client.tokens();
            assertThat(tokens).filteredOn(token -> token.startsWith("ROW")).hasSize(2187);
            assertThat(tokens)
                    .filteredOn(("ROW [" + "x".repeat(5_000) + "]")::equals)
                    .hasSize(729);
            assertThat(client.doneStatus() & DoneStatus.ATTN).isNotZero();
            assertThat(client.answerTo("SELECT 1")).contains("ROW [1]");
        }
    }

    @Test
    void whoLeavesBeforeItsAnswerIsSentHarmsNobody() throws Exception {
        try (LogLines log = new LogLines(ConsoleAccess.class.getPackageName());
                RawClient other = raw(TdsVersion.V7_4)) {
            RawClient reading = raw(TdsVersion.V7_4);
            reading.sendBatch(LONG_ANSWER);
            reading.awaitBytes();
            reading.close();
            RawClient waiting = raw(TdsVersion.V7_4);
            waiting.sendBatch("DRAIN");
            await().until(() -> !commands.isEmpty());
            waiting.close();
            for (RawClient gone : List.of(reading, waiting)) {
                await().untilAsserted(
                                () -> assertThat(log.linesOf(Level.INFO, ":" + gone.localPort() + " disconnected"))
                                        .hasSize(1));
            }
            mayEnd.countDown();
            assertThat(other.answerTo("SELECT 1")).contains("ROW [1]");
            try (RawClient next = raw(TdsVersion.V7_4)) {
                assertThat(next.answerTo("SELECT 1")).contains("ROW [1]");
            }
            assertThat(log.from(Level.WARN)).isEmpty();
        }
    }

    @Test
    void whoBreaksTheProtocolIsClosedAndHarmsNobody() throws Exception {
        try (RawClient other = raw(TdsVersion.V7_4)) {
            try (RawClient client = raw(TdsVersion.V7_4)) {
                client.packet(PacketType.RPC, PacketHeader.STATUS_EOM, Unpooled.wrappedBuffer(new byte[] {1, 2, 3}));
                assertThat(isClosed(client)).isTrue();
            }
            try (RawClient client = raw(TdsVersion.V7_4)) {
                try {
                    client.sendBatch("SELECT 1 --" + "x".repeat(1 << 20));
                } catch (UncheckedIOException closed) {
                    // Before it had sent everything.
                }
                assertThat(isClosed(client)).isTrue();
            }
            assertThat(other.answerTo("SELECT 1")).contains("ROW [1]");
        }
    }

    /** By its end or, where it had not read all that it was sent, by a reset. */
    private static boolean isClosed(RawClient client) throws IOException {
        try {
            return client.readToEnd().length == 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void thereIsABoundOnConsoleClientsAndWhoLeavesMakesRoom() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 32; i++) {
                clients.add(raw(TdsVersion.V7_4));
            }
            try (RawClient late = new RawClient(fixture.proxy.port())) {
                assertThat(late.answerToLogin(login -> login.userName("ops")
                                .password(Secret.ofText("Open-1"))
                                .database("comporta")))
                        .anyMatch(token -> token.startsWith("ERROR 18456"));
            }
            clients.removeLast().close();
            await().until(() -> {
                try (RawClient next = new RawClient(fixture.proxy.port())) {
                    return next
                            .answerToLogin(login -> login.userName("ops")
                                    .password(Secret.ofText("Open-1"))
                                    .database("comporta"))
                            .stream()
                            .anyMatch(token -> token.startsWith("LOGINACK"));
                }
            });
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }
}
