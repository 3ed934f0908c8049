package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.getsError;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.testkit.RawClient;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TransactionModeTest {
    private static final int LIMIT = 2;

    private ProxyFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = ProxyFixture.start(LIMIT);
        try (Connection connection = fixture.connect()) {
            run(connection, "CREATE TABLE notes (id INT NOT NULL PRIMARY KEY, text NVARCHAR(100))");
        }
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void manyClientsShareFewServerConnections() throws Exception {
        List<Connection> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(fixture.connect());
        }
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < clients.size(); i++) {
                assertThat(ask(clients.get(i), "SELECT " + i)).isEqualTo(Integer.toString(i));
            }
        }
        assertThat(fixture.server.counters().mostSessions()).isLessThanOrEqualTo(LIMIT);
        for (Connection client : clients) {
            client.close();
        }
    }

    @Test
    void clientsThatAskAtOnceAreQueuedAndAllServed() throws Exception {
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                int mine = i;
                answers.add(threads.submit(() -> {
                    try (Connection connection = fixture.connect()) {
                        return ask(connection, "WAITFOR DELAY '00:00:00.010'; SELECT " + mine);
                    }
                }));
            }
        }
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).get()).isEqualTo(Integer.toString(i));
        }
        assertThat(fixture.server.counters().mostSessions()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void aTransactionKeepsItsConnectionAndIsSeenOnlyWhenCommitted() throws Exception {
        try (Connection writer = fixture.connect();
                Connection reader = fixture.connect()) {
            writer.setAutoCommit(false);
            run(writer, "INSERT INTO notes VALUES (1, N'mine')");
            String session = ask(writer, "SELECT @@SPID");
            for (int i = 0; i < 3; i++) {
                assertThat(ask(reader, "SELECT @@SPID")).isNotEqualTo(session);
                // Read by versions here, where SQL Server would have its readers wait by default.
                assertThat(ask(reader, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
                assertThat(ask(writer, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
                assertThat(ask(writer, "SELECT @@SPID")).isEqualTo(session);
            }
            writer.commit();
            assertThat(ask(reader, "SELECT COUNT(*) FROM notes")).isEqualTo("1");
        }
    }

    @Test
    void aClientThatVanishesInATransactionLeavesNothingBehind() throws Exception {
        Connection writer = fixture.connect();
        run(writer, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1, N'lost')");
        writer.abort(Runnable::run);
        try (Connection reader = fixture.connect()) {
            await().until(() -> fixture.server.engine().openTransactions() == 0);
            assertThat(ask(reader, "SELECT COUNT(*) FROM notes")).isEqualTo("0");
            for (int i = 0; i < 2 * LIMIT; i++) {
                assertThat(ask(reader, "SELECT @@TRANCOUNT")).isEqualTo("0");
            }
        }
    }

    @Test
    void settingsFollowTheClientAndReachNobodyElse() throws Exception {
        try (Connection monday = fixture.connect();
                Connection sunday = fixture.connect();
                Connection third = fixture.connect()) {
            run(monday, "SET DATEFIRST 1");
            run(sunday, "SET DATEFIRST 7");
            run(third, "SET LOCK_TIMEOUT 1234; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            for (int i = 0; i < 5; i++) {
                assertThat(ask(monday, "SELECT @@DATEFIRST")).isEqualTo("1");
                assertThat(ask(sunday, "SELECT @@DATEFIRST")).isEqualTo("7");
                assertThat(ask(third, "SELECT @@LOCK_TIMEOUT")).isEqualTo("1234");
                assertThat(ask(monday, "SELECT @@LOCK_TIMEOUT")).isEqualTo("-1");
                assertThat(ask(third, isolation())).isEqualTo("4");
                assertThat(ask(sunday, isolation())).isEqualTo("2");
            }
        }
        assertThat(fixture.server.counters().mostSessions()).isLessThanOrEqualTo(LIMIT);
    }

    private static String isolation() {
        return "SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID";
    }

    @Test
    void theDatabaseInUseFollowsTheClient() throws Exception {
        try (Connection here = fixture.connect();
                Connection there = fixture.connect()) {
            run(there, "USE Other");
            for (int i = 0; i < 5; i++) {
                assertThat(ask(here, "SELECT DB_NAME()")).isEqualTo("AppDB");
                assertThat(ask(there, "SELECT DB_NAME()")).isEqualTo("Other");
            }
        }
    }

    @Test
    void aSettingThatTheServerNoLongerTakesIsToldEachTimeAndCostsNoConnection() throws Exception {
        try (ProxyFixture one = ProxyFixture.start(1);
                Connection gone = one.connect();
                Connection other = one.connect()) {
            run(other, "CREATE DATABASE Brief");
            run(gone, "USE Brief");
            run(other, "DROP DATABASE Brief");
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> ask(gone, "SELECT 1"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(50003))
                        .hasMessageContainingAll("no longer accepts", "USE [Brief]", "does not exist", "Connect again");
            }
            assertThat(ask(other, "SELECT DB_NAME()")).isEqualTo("AppDB");
            run(other, "CREATE DATABASE Brief");
            assertThat(ask(gone, "SELECT DB_NAME()")).isEqualTo("Brief");
            assertThat(one.server.counters().logins()).isEqualTo(1);
        }
    }

    @Test
    void aTemporaryTablePinsItsClient() throws Exception {
        try (Connection owner = fixture.connect();
                Connection other = fixture.connect()) {
            run(owner, "CREATE TABLE #mine (id INT)");
            run(owner, "INSERT INTO #mine VALUES (1)");
            ask(other, "SELECT 1");
            assertThat(ask(owner, "SELECT COUNT(*) FROM #mine")).isEqualTo("1");
            getsError(208, () -> ask(other, "SELECT COUNT(*) FROM #mine"));
        }
        try (Connection next = fixture.connect()) {
            for (int i = 0; i < 2 * LIMIT; i++) {
                getsError(208, () -> ask(next, "SELECT COUNT(*) FROM #mine"));
            }
        }
    }

    @Test
    void aTextThatFailsHalfWayPinsForWhatItMayHaveLeft() throws Exception {
        try (Connection owner = fixture.connect();
                Connection other = fixture.connect()) {
            // Understood as leaving nothing, had it run to its end.
            assertThatThrownBy(
                            () -> run(
                                    owner,
                                    "SET XACT_ABORT ON; CREATE TABLE #half (id INT); SELECT * FROM no_such_table; DROP TABLE #half"))
                    .isInstanceOf(SQLException.class);
            for (int i = 0; i < 2 * LIMIT; i++) {
                getsError(208, () -> ask(other, "SELECT COUNT(*) FROM #half"));
            }
            assertThat(ask(owner, "SELECT COUNT(*) FROM #half")).isEqualTo("0");
        }
    }

    @Test
    void preparedStatementsWork() throws Exception {
        try (Connection connection = fixture.connect();
                Connection other = fixture.connect()) {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO notes VALUES (?, ?)")) {
                for (int i = 0; i < 5; i++) {
                    insert.setInt(1, i);
                    insert.setString(2, "n" + i);
                    assertThat(insert.executeUpdate()).isEqualTo(1);
                    ask(other, "SELECT 1");
                }
            }
            assertThat(ask(connection, "SELECT COUNT(*) FROM notes")).isEqualTo("5");
        }
    }

    @Test
    void aProcedureReturnsItsOutput() throws Exception {
        try (Connection connection = fixture.connect()) {
            run(connection, "CREATE PROCEDURE twice @n INT, @result INT OUTPUT AS SET @result = 2 * @n");
            try (CallableStatement call = connection.prepareCall("{call twice(?, ?)}")) {
                call.setInt(1, 21);
                call.registerOutParameter(2, java.sql.Types.INTEGER);
                call.execute();
                assertThat(call.getInt(2)).isEqualTo(42);
            }
        }
    }

    @Test
    void aRunningRequestCanBeCancelled() throws Exception {
        try (Connection connection = fixture.connect();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.execute("WAITFOR DELAY '00:00:30'"))
                    .isInstanceOf(SQLException.class);
            assertThat(ask(connection, "SELECT 5")).isEqualTo("5");
            assertThat(fixture.server.counters().attentions()).isEqualTo(1);
        }
    }

    @Test
    void aLargeResultPassesWhole() throws Exception {
        try (Connection connection = fixture.connect()) {
            run(connection, "CREATE TABLE digits (n INT NOT NULL)");
            run(connection, "INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n"
                                    + " FROM digits a CROSS JOIN digits b CROSS JOIN digits c"
                                    + " CROSS JOIN digits d CROSS JOIN digits e")) {
                long sum = 0;
                while (rows.next()) {
                    sum += rows.getLong(1);
                }
                assertThat(sum).isEqualTo(4_999_950_000L);
            }
        }
    }

    @Test
    void errorsOfTheServerPassAndTheSessionGoesOn() throws Exception {
        try (Connection connection = fixture.connect()) {
            getsError(208, () -> run(connection, "SELECT * FROM no_such_table"));
            assertThat(ask(connection, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void wrongCredentialsGetTheServersOwnError() {
        getsError(
                18456,
                () -> DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fixture.proxy.port()
                        + ";encrypt=false;databaseName=AppDB;user=sa;password=wrong"));
    }

    @Test
    void aLoginThatNoBucketServesIsToldSo() {
        getsError(
                50002,
                () -> DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + fixture.proxy.port()
                        + ";encrypt=false;databaseName=Nowhere;user=sa;password=Secret-1"));
    }

    @Test
    void aPoolThatWasForgottenComesBackWithItsNextRequest() throws Exception {
        try (ProxyFixture fixture = ProxyFixture.start(
                        BucketSpec.PoolMode.TRANSACTION,
                        settings -> settings.maxConnections(2).minIdle(0).maxIdleTime(Duration.ofMillis(200)));
                Connection connection = fixture.connect()) {
            assertThat(ask(connection, "SELECT 1")).isEqualTo("1");
            await().untilAsserted(() ->
                    assertThat(fixture.proxy.glance("one").pool().pools()).isEmpty());
            assertThat(ask(connection, "SELECT 2")).isEqualTo("2");
        }
    }

    @Test
    void everythingEncryptedAndStrictWorkToo() throws Exception {
        try (Connection encrypted = fixture.connect("encrypt=true")) {
            assertThat(ask(encrypted, "SELECT 1")).isEqualTo("1");
        }
        try (RawClient strict = RawClient.loggedInByTls(fixture.proxy.port())) {
            assertThat(strict.answerTo("SELECT 2")).contains("ROW [2]");
        }
    }
}
