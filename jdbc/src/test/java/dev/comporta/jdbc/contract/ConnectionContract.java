package dev.comporta.jdbc.contract;

import static dev.comporta.jdbc.db.TestDatabase.ask;
import static dev.comporta.jdbc.db.TestDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.TestDatabase;
import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.pool.state.CloseReason;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for a connection from the pool, whatever the database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConnectionContract<D extends TestDatabase> {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    final D database;

    ConnectionContract(D database) {
        this.database = database;
    }

    final ComportaDataSource pool(int max) {
        ComportaDataSource pool = new ComportaDataSource();
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(max);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(PATIENCE);
        tune(pool);
        return pool;
    }

    /** What else a pool to this database is set to. */
    void tune(ComportaDataSource pool) {}

    @BeforeAll
    void createTable() throws SQLException {
        try (ComportaDataSource pool = pool(1);
                Connection connection = pool.getConnection()) {
            run(connection, "CREATE TABLE item (id INT NOT NULL PRIMARY KEY, name VARCHAR(50))");
        }
    }

    @BeforeEach
    void emptyTable() throws SQLException {
        try (ComportaDataSource pool = pool(1);
                Connection connection = pool.getConnection()) {
            run(connection, "DELETE FROM item");
        }
    }

    @AfterAll
    void closeDatabase() throws Exception {
        database.stop();
    }

    private static int count(ComportaDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Integer.parseInt(ask(connection, "SELECT COUNT(*) FROM item"));
        }
    }

    @Test
    void theNextClientGetsTheSamePhysicalConnection() throws SQLException {
        try (ComportaDataSource pool = pool(3)) {
            String first;
            try (Connection connection = pool.getConnection()) {
                first = ask(connection, database.sessionId());
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, database.sessionId())).isEqualTo(first);
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void committedWorkStaysAndUncommittedWorkIsRolledBack() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                run(connection, "INSERT INTO item VALUES (1, 'kept')");
                connection.commit();
                run(connection, "INSERT INTO item VALUES (2, 'dropped')");
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
            }
            assertThat(count(pool)).isEqualTo(1);
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void whatAClientChangesIsPutBack() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            int usual;
            try (Connection connection = pool.getConnection()) {
                usual = connection.getTransactionIsolation();
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setReadOnly(true);
                ask(connection, database.sessionId());
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getTransactionIsolation()).isEqualTo(usual);
                assertThat(connection.isReadOnly()).isFalse();
                assertThat(connection.getAutoCommit()).isTrue();
                run(connection, "INSERT INTO item VALUES (3, 'writable')");
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
            assertThat(pool.statistics().resets()).isEqualTo(1);
        }
    }

    @Test
    void aTransactionThatEndsAsItShouldNeedsNoReset() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            for (int i = 0; i < 5; i++) {
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    run(connection, "INSERT INTO item VALUES (" + i + ", 'x')");
                    connection.commit();
                    connection.setAutoCommit(true);
                }
            }
            assertThat(count(pool)).isEqualTo(5);
            assertThat(pool.statistics().resets()).isZero();
        }
    }

    @Test
    void afterCloseEverythingFailsWith08003AndClosingAgainIsHarmless() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            Connection connection = pool.getConnection();
            Statement statement = connection.createStatement();
            PreparedStatement prepared = connection.prepareStatement("SELECT id FROM item");
            ResultSet rows = prepared.executeQuery();
            connection.close();
            connection.close();
            assertThat(connection.isClosed()).isTrue();
            assertThat(connection.isValid(1)).isFalse();
            for (ThrowingUse use : List.<ThrowingUse>of(
                    connection::createStatement,
                    connection::commit,
                    connection::getMetaData,
                    connection::getAutoCommit,
                    () -> connection.setReadOnly(true),
                    () -> connection.unwrap(Connection.class))) {
                assertThatThrownBy(use::run)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("08003"));
            }
            assertThat(statement.isClosed()).isTrue();
            assertThat(prepared.isClosed()).isTrue();
            assertThat(rows.isClosed()).isTrue();
            assertThat(pool.statistics().releases()).isEqualTo(1);
        }
    }

    /** A use of a connection. */
    private interface ThrowingUse {
        void run() throws SQLException;
    }

    @Test
    void statementsResultSetsAndMetaDataBelongToTheClientsConnection() throws SQLException {
        try (ComportaDataSource pool = pool(1);
                Connection connection = pool.getConnection()) {
            Statement statement = connection.createStatement();
            ResultSet rows = statement.executeQuery("SELECT id FROM item");
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(rows.getStatement()).isSameAs(statement);
            assertThat(metaData.getConnection()).isSameAs(connection);
            Connection ofDriver = connection.unwrap(Connection.class);
            assertThat(ofDriver).isNotSameAs(connection);
            assertThat(connection.isWrapperFor(ofDriver.getClass())).isTrue();
        }
    }

    @Test
    void anErrorOfTheStatementLeavesTheConnectionInThePool() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            try (Connection connection = pool.getConnection()) {
                run(connection, "INSERT INTO item VALUES (1, 'once')");
                assertThatThrownBy(() -> run(connection, "INSERT INTO item VALUES (1, 'twice')"))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> run(connection, "SELECT nonsense FROM nowhere"))
                        .isInstanceOf(SQLException.class);
            }
            assertThat(count(pool)).isEqualTo(1);
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void aKilledSessionIsDiscardedAndTheNextClientGetsAnother() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            try (Connection connection = pool.getConnection()) {
                database.kill(ask(connection, database.sessionId()));
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThatThrownBy(() -> ask(connection, "SELECT COUNT(*) FROM item"))
                                .isInstanceOf(SQLException.class));
            }
            assertThat(count(pool)).isZero();
            PoolStatistics now = pool.statistics();
            assertThat(now.opened()).isEqualTo(2);
            assertThat(now.closed().get(CloseReason.LOST)).isEqualTo(1);
        }
    }

    @Test
    void anAbortedConnectionIsReplaced() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            Connection connection = pool.getConnection();
            connection.abort(Runnable::run);
            assertThat(connection.isClosed()).isTrue();
            assertThat(count(pool)).isZero();
            assertThat(pool.statistics().opened()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ping", "query", "full"})
    void everyKindOfHealthCheckPassesOnAHealthyServer(String type) throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setHealthCheckType(type);
            pool.setValidateOnAcquire(true);
            for (int i = 0; i < 3; i++) {
                assertThat(count(pool)).isZero();
            }
            assertThat(pool.statistics().validations()).isEqualTo(2); // not of a new connection
            assertThat(pool.statistics().validationFailures()).isZero();
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void anIdleConnectionThatDiedIsNoticedBeforeAClientGetsIt() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setValidateOnAcquire(true);
            String session;
            try (Connection connection = pool.getConnection()) {
                session = ask(connection, database.sessionId());
            }
            database.kill(session);
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, database.sessionId())).isNotEqualTo(session);
            }
            assertThat(pool.statistics().validationFailures()).isEqualTo(1);
        }
    }

    @Test
    void whatPlainSqlLeavesIsGoneAfterAFullResetWhereTheDatabaseHasOne() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setResetOnRelease(true);
            try (Connection connection = pool.getConnection()) {
                run(connection, database.leave());
                assertThat(ask(connection, database.isLeft())).isEqualTo("left");
            }
            try (Connection connection = pool.getConnection()) {
                // A database without such a reset keeps it, in the same session: replacing the connection is no reset.
                assertThat("left".equals(ask(connection, database.isLeft()))).isNotEqualTo(database.canReset());
                assertThat(connection.getAutoCommit()).isTrue();
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
            assertThat(pool.statistics().resets()).isGreaterThanOrEqualTo(1);
            assertThat(pool.statistics().resetFailures()).isZero();
        }
    }

    @Test
    void aTransactionThatATextBeganIsRolledBackBeforeTheNextClientOrTheTextIsRefused() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            try (Connection connection = pool.getConnection()) {
                if (database.lets()) {
                    run(connection, database.begin());
                } else {
                    assertThatThrownBy(() -> run(connection, database.begin())).isInstanceOf(SQLException.class);
                }
                run(connection, "INSERT INTO item VALUES (1, 'of the first')");
            }
            // Where there is no transaction to roll back, what the first client did was committed as always.
            int ofTheFirst = database.lets() ? 0 : 1;
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(ask(connection, "SELECT COUNT(*) FROM item")).isEqualTo("" + ofTheFirst);
                run(connection, "INSERT INTO item VALUES (2, 'of the second')");
                try (Connection other = database.admin()) {
                    assertThat(ask(other, "SELECT COUNT(*) FROM item")).isEqualTo("" + (ofTheFirst + 1));
                }
            }
        }
    }

    @Test
    void metaDataThatWasKeptFailsWith08003AfterClose() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            DatabaseMetaData kept;
            try (Connection connection = pool.getConnection()) {
                kept = connection.getMetaData();
                assertThat(kept.getDatabaseProductName()).isNotEmpty();
            }
            try (Connection ofAnother = pool.getConnection()) {
                assertThatThrownBy(kept::getDatabaseProductName)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("08003"));
                assertThat(ofAnother.isClosed()).isFalse();
            }
        }
    }

    @Test
    void queriesAndChangesOfRowsNeedNoReset() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            try (Connection connection = pool.getConnection()) {
                run(connection, "INSERT INTO item VALUES (1, 'begin; transaction')");
                run(connection, "UPDATE item SET name = 'x' -- commit");
                ask(connection, "SELECT COUNT(*) FROM item");
            }
            assertThat(count(pool)).isEqualTo(1);
            assertThat(pool.statistics().resets()).isZero();
        }
    }

    @Test
    void aWrongPasswordIsToldAtOnceWithTheServersWords() {
        try (ComportaDataSource pool = pool(1)) {
            pool.setPassword("wrong");
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("rejects the login of " + database.user())
                    .hasMessageContaining(database.rejection())
                    .hasMessageContaining("Correct username");
        }
    }

    @Test
    void theDatabaseNeverSeesMoreSessionsThanTheLimit() throws Exception {
        int before = database.sessions();
        try (ComportaDataSource pool = pool(3)) {
            AtomicInteger most = new AtomicInteger();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                clients.add(Thread.startVirtualThread(() -> {
                    try (Connection connection = pool.getConnection()) {
                        ask(connection, "SELECT COUNT(*) FROM item");
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                }));
            }
            for (Thread client : clients) {
                assertThat(client.join(PATIENCE)).isTrue();
                most.accumulateAndGet(database.sessions() - before, Math::max);
            }
            assertThat(most.get()).isBetween(1, 3);
            assertThat(pool.statistics().acquires()).isEqualTo(40);
            assertThat(pool.statistics().opened()).isBetween(1L, 3L);
        }
        await().atMost(PATIENCE).until(() -> database.sessions() <= before);
    }
}
