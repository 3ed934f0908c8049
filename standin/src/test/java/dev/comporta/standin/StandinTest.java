package dev.comporta.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.microsoft.sqlserver.jdbc.SQLServerBulkCopy;
import com.microsoft.sqlserver.jdbc.SQLServerConnectionPoolDataSource;
import dev.comporta.standin.control.SessionRecord;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.PooledConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole stand-in, wire and engine, as drivers see it. */
class StandinTest {
    enum Driver {
        MSSQL {
            @Override
            String url(int port, String database) {
                return "jdbc:sqlserver://127.0.0.1:" + port + ";encrypt=false;databaseName=" + database;
            }
        },
        JTDS {
            @Override
            String url(int port, String database) {
                return "jdbc:jtds:sqlserver://127.0.0.1:" + port + "/" + database;
            }
        };

        abstract String url(int port, String database);
    }

    private static final String UNTIL_CANCELLED = "WAITFOR DELAY '00:10:00'";

    private Standin standin;

    @BeforeEach
    void start() throws Exception {
        standin = Standin.builder()
                .sampleDatabase("Shop")
                .database("Other")
                .login("sa", "secret")
                .login("app", "app-secret")
                .start();
    }

    @AfterEach
    void stop() {
        standin.close();
    }

    private Connection connect(Driver driver) throws SQLException {
        return connect(driver, "Shop", "sa", "secret");
    }

    private Connection connect(Driver driver, String database, String user, String password) throws SQLException {
        return DriverManager.getConnection(driver.url(standin.port(), database), user, password);
    }

    @ParameterizedTest
    @EnumSource
    void loginSeesTheDatabaseItAskedFor(Driver driver) throws Exception {
        try (Connection connection = connect(driver, "Other", "app", "app-secret")) {
            assertThat(query(connection, "SELECT DB_NAME()")).containsExactly("Other");
            assertThat(query(connection, "SELECT SUSER_SNAME()")).containsExactly("app");
        }
    }

    @Test
    void recordTellsRequestsThatATransactionBindsFromOthers() throws Exception {
        try (Connection connection = connect(Driver.JTDS)) {
            SessionRecord record = standin.sessions().getFirst();
            long messages = record.messages();
            long outside = record.messagesOutsideTransactions();
            execute(connection, "BEGIN TRANSACTION");
            execute(connection, "SELECT 1");
            execute(connection, "COMMIT");
            execute(connection, "SELECT 1");
            assertThat(record.messages() - messages).isEqualTo(4);
            assertThat(record.messagesOutsideTransactions() - outside).isEqualTo(2);
        }
        await().until(() -> standin.sessions().isEmpty());
    }

    @Test
    void recordTellsWhatASessionIsBusyWith() throws Exception {
        try (Connection connection = connect(Driver.MSSQL);
                Statement statement = connection.createStatement();
                ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            SessionRecord record = standin.sessions().getFirst();
            assertThat(record.isBusyOutsideTransaction()).isFalse();
            Future<?> asked = thread.submit(() -> statement.execute(UNTIL_CANCELLED));
            await().until(record::isBusyOutsideTransaction);
            statement.cancel();
            assertThatThrownBy(asked::get).hasCauseInstanceOf(SQLException.class);
            assertThat(record.isBusyOutsideTransaction()).isFalse();

            execute(connection, "BEGIN TRANSACTION");
            long messages = record.messages();
            long outside = record.messagesOutsideTransactions();
            asked = thread.submit(() -> statement.execute(UNTIL_CANCELLED));
            await().until(() -> record.messages() > messages);
            assertThat(record.isBusyOutsideTransaction()).isFalse();
            statement.cancel();
            assertThatThrownBy(asked::get).hasCauseInstanceOf(SQLException.class);
            assertThat(record.messagesOutsideTransactions())
                    .as("the look above may have come too early")
                    .isEqualTo(outside);
        }
    }

    @Test
    void mostSessionsAreCountedAnewFromThoseThatAreOpen() throws Exception {
        try (Connection _ = connect(Driver.MSSQL)) {
            connect(Driver.MSSQL).close();
            await().until(() -> standin.counters().sessionsOpen() == 1);
            assertThat(standin.counters().mostSessions()).isEqualTo(2);
            standin.forgetMostSessions();
            assertThat(standin.counters().mostSessions()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void wrongPasswordIs18456(Driver driver) {
        assertThatThrownBy(() -> connect(driver, "Shop", "sa", "wrong"))
                .isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getErrorCode()).isEqualTo(18456);
                    assertThat(e.getMessage()).contains("Login failed for user 'sa'");
                });
        assertThat(standin.counters().failedLogins()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void unknownDatabaseIs4060(Driver driver) {
        assertThatThrownBy(() -> connect(driver, "Nowhere", "sa", "secret"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(4060));
    }

    @Test
    void windowsLoginIsRefusedWithAReason() {
        assertThatThrownBy(() -> connect(Driver.JTDS, "Shop;domain=CORP;useNTLMv2=true", "sa", "secret"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no Windows authentication");
    }

    @ParameterizedTest
    @EnumSource
    void sampleDatabaseHasItsRows(Driver driver) throws Exception {
        try (Connection connection = connect(driver)) {
            assertThat(query(connection, "SELECT COUNT(*) FROM customers"))
                    .containsExactly(String.valueOf(SampleDatabase.CUSTOMERS));
            assertThat(query(connection, "SELECT COUNT(*) FROM orders"))
                    .containsExactly(String.valueOf(SampleDatabase.CUSTOMERS * SampleDatabase.ORDERS_PER_CUSTOMER));
        }
    }

    @ParameterizedTest
    @EnumSource
    void procedureReturnsRowsAndItsOutput(Driver driver) throws Exception {
        try (Connection connection = connect(driver);
                var call = connection.prepareCall("{? = call orders_of(?, ?)}")) {
            call.registerOutParameter(1, java.sql.Types.INTEGER);
            call.setInt(2, 7);
            call.registerOutParameter(3, java.sql.Types.DECIMAL);
            int rows = 0;
            try (ResultSet result = call.executeQuery()) {
                while (result.next()) {
                    rows++;
                }
            }
            assertThat(rows).isEqualTo(SampleDatabase.ORDERS_PER_CUSTOMER);
            assertThat(call.getInt(1)).isZero();
            assertThat(call.getBigDecimal(3)).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void preparedStatementRunsAgainAndAgain(Driver driver) throws Exception {
        try (Connection connection = connect(driver);
                PreparedStatement statement =
                        connection.prepareStatement("SELECT id FROM customers WHERE id = ? AND name <> ?")) {
            for (int id = 1; id <= 10; id++) {
                statement.setInt(1, id);
                statement.setString(2, "nobody");
                try (ResultSet result = statement.executeQuery()) {
                    assertThat(result.next()).isTrue();
                    assertThat(result.getInt(1)).isEqualTo(id);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rollbackUndoesAndCommitKeeps(Driver driver) throws Exception {
        try (Connection connection = connect(driver)) {
            connection.setAutoCommit(false);
            update(connection, "DELETE FROM orders");
            connection.rollback();
            assertThat(query(connection, "SELECT COUNT(*) FROM orders")).containsExactly("300");
            update(connection, "DELETE FROM orders");
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(query(connection, "SELECT COUNT(*) FROM orders")).containsExactly("0");
        }
        await().until(() -> standin.counters().sessionsOpen() == 0);
        assertThat(standin.counters().rollbacksAtDisconnect()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void transactionOfAClientThatLeavesOrIsKilledIsRolledBack(Driver driver) throws Exception {
        Connection leaves = connect(driver);
        update(leaves, "BEGIN TRANSACTION; DELETE FROM orders");
        leaves.close();
        assertAllAreGoneAndNothingIsDeleted(driver, 1);

        Connection killed = connect(driver);
        update(killed, "BEGIN TRANSACTION; DELETE FROM orders");
        int spid = Integer.parseInt(query(killed, "SELECT @@SPID").getFirst());
        assertThat(standin.kill(spid)).isTrue();
        assertAllAreGoneAndNothingIsDeleted(driver, 2);
    }

    private void assertAllAreGoneAndNothingIsDeleted(Driver driver, int rollbacks) throws SQLException {
        await().untilAsserted(
                        () -> assertThat(standin.counters().sessionsOpen()).isZero());
        assertThat(standin.counters().rollbacksAtDisconnect()).isEqualTo(rollbacks);
        try (Connection next = connect(driver)) {
            assertThat(query(next, "SELECT COUNT(*) FROM orders")).containsExactly("300");
        }
        await().untilAsserted(
                        () -> assertThat(standin.counters().sessionsOpen()).isZero());
    }

    @ParameterizedTest
    @EnumSource
    void runningStatementIsCancelledByItsTimeout(Driver driver) throws Exception {
        try (Connection connection = connect(driver);
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.execute("WAITFOR DELAY '00:01:00'"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("timed out");
            assertThat(query(connection, "SELECT 2")).containsExactly("2");
            assertThat(standin.counters().attentions()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeResultArrivesWhole(Driver driver) throws Exception {
        try (Connection connection = connect(driver)) {
            List<String> rows = query(
                    connection,
                    "SELECT a.id * 1000000 + b.id * 1000 + c.id FROM orders a CROSS JOIN orders b CROSS JOIN customers c"
                            + " WHERE a.id <= 10 AND b.id <= 100");
            assertThat(rows).hasSize(10 * 100 * SampleDatabase.CUSTOMERS).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource
    void errorHasItsNumberAndTheConnectionGoesOn(Driver driver) throws Exception {
        try (Connection connection = connect(driver)) {
            assertThatThrownBy(() -> query(connection, "SELECT * FROM nowhere"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(208));
            assertThat(query(connection, "SELECT 3")).containsExactly("3");
        }
    }

    @Test
    void pooledConnectionIsResetWhenItIsHandedOut() throws Exception {
        SQLServerConnectionPoolDataSource source = new SQLServerConnectionPoolDataSource();
        source.setURL(Driver.MSSQL.url(standin.port(), "Shop"));
        source.setUser("sa");
        source.setPassword("secret");
        PooledConnection pooled = source.getPooledConnection();
        try {
            try (Connection connection = pooled.getConnection()) {
                update(connection, "CREATE TABLE #mine (id INT)");
                update(connection, "USE Other");
            }
            long resets = standin.counters().resets();
            try (Connection connection = pooled.getConnection()) {
                assertThat(query(connection, "SELECT DB_NAME()")).containsExactly("Shop");
                assertThatThrownBy(() -> query(connection, "SELECT * FROM #mine"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(208));
            }
            assertThat(standin.counters().resets()).isGreaterThan(resets);
        } finally {
            pooled.close();
        }
    }

    @Test
    void bulkCopyLoadsRows() throws Exception {
        try (Connection connection = connect(Driver.MSSQL);
                Connection source = connect(Driver.MSSQL)) {
            update(
                    connection,
                    "CREATE TABLE copies (id INT NOT NULL, name NVARCHAR(100) NOT NULL, city NVARCHAR(50) NULL,"
                            + " since DATE NOT NULL)");
            try (SQLServerBulkCopy copy = new SQLServerBulkCopy(connection);
                    Statement statement = source.createStatement();
                    ResultSet customers = statement.executeQuery("SELECT id, name, city, since FROM customers")) {
                copy.setDestinationTableName("copies");
                copy.writeToServer(customers);
            }
            assertThat(query(connection, "SELECT COUNT(*) FROM copies"))
                    .containsExactly(String.valueOf(SampleDatabase.CUSTOMERS));
            assertThat(
                            query(
                                    connection,
                                    "SELECT COUNT(*) FROM copies c JOIN customers o ON o.id = c.id AND o.name = c.name AND o.since = c.since"))
                    .containsExactly(String.valueOf(SampleDatabase.CUSTOMERS));
        }
        assertThat(standin.counters().bulkRows()).isEqualTo(SampleDatabase.CUSTOMERS);
    }

    @Test
    void standinsKnowNothingOfEachOther() throws Exception {
        try (Standin other =
                        Standin.builder().database("Shop").login("sa", "secret").start();
                Connection here = connect(Driver.MSSQL);
                Connection there =
                        DriverManager.getConnection(Driver.MSSQL.url(other.port(), "Shop"), "sa", "secret")) {
            assertThat(query(here, "SELECT COUNT(*) FROM customers")).containsExactly("60");
            assertThatThrownBy(() -> query(there, "SELECT COUNT(*) FROM customers"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(208));
            assertThat(other.counters().logins()).isEqualTo(1);
        }
    }

    @Test
    void portThatIsTakenIsAnError() {
        assertThatThrownBy(() -> Standin.builder()
                        .port(standin.port())
                        .login("sa", "secret")
                        .start())
                .isInstanceOf(java.io.IOException.class);
    }

    @Test
    void nobodyCouldLogInWithoutALogin() {
        assertThatThrownBy(() -> Standin.builder().start()).isInstanceOf(IllegalStateException.class);
    }

    private static List<String> query(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                values.add(result.getString(1));
            }
        }
        return values;
    }

    private static void update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
