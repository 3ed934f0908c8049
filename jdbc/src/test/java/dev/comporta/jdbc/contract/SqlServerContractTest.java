package dev.comporta.jdbc.contract;

import static dev.comporta.jdbc.db.TestDatabase.ask;
import static dev.comporta.jdbc.db.TestDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.StandinDatabase;
import dev.comporta.standin.control.Misbehaviour;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlServerContractTest extends DriverContract<StandinDatabase> {
    SqlServerContractTest() throws Exception {
        super(new StandinDatabase());
    }

    @Test
    void whatTextsLeaveDoesNotReachTheNextClientOfTheSameSession() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            String session;
            database.resets();
            try (Connection connection = pool.getConnection()) {
                session = ask(connection, database.sessionId());
                run(connection, "SET LOCK_TIMEOUT 4711");
                run(connection, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
                run(connection, "CREATE TABLE #cart (id INT)");
                run(connection, "INSERT INTO #cart VALUES (1)");
                run(connection, "BEGIN TRANSACTION");
                run(connection, "INSERT INTO item VALUES (1, 'of the first')");
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(ask(connection, database.sessionId())).isEqualTo(session);
                assertThat(database.resets()).isEqualTo(1);
                assertThat(ask(connection, "SELECT @@LOCK_TIMEOUT")).isEqualTo("-1");
                assertThat(ask(connection, "SELECT @@TRANCOUNT")).isEqualTo("0");
                assertThat(
                                ask(
                                        connection,
                                        "SELECT transaction_isolation_level FROM sys.dm_exec_sessions WHERE session_id = @@SPID"))
                        .isEqualTo("2");
                assertThat(ask(connection, "SELECT COUNT(*) FROM item")).isEqualTo("0");
                assertThatThrownBy(() -> ask(connection, "SELECT COUNT(*) FROM #cart"))
                        .isInstanceOf(SQLException.class);
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void preparedStatementsWorkAfterAReset() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setResetOnRelease(true);
            pool.addDataSourceProperty("disableStatementPooling", "false");
            pool.addDataSourceProperty("statementPoolingCacheSize", "10");
            database.resets();
            for (int loan = 0; loan < 3; loan++) {
                try (Connection connection = pool.getConnection()) {
                    for (int i = 0; i < 3; i++) { // from the second time on by its handle
                        try (PreparedStatement statement = connection.prepareStatement("SELECT ? + 1")) {
                            statement.setInt(1, i);
                            try (ResultSet rows = statement.executeQuery()) {
                                rows.next();
                                assertThat(rows.getInt(1)).isEqualTo(i + 1);
                            }
                        }
                    }
                }
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
            assertThat(database.resets()).isGreaterThanOrEqualTo(2);
            assertThat(pool.statistics().resetFailures()).isZero();
        }
    }

    @Test
    void theLockTimeoutOfTheUrlHoldsForEveryClient() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setJdbcUrl(database.url() + ";lockTimeout=5000");
            for (int loan = 0; loan < 2; loan++) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(ask(connection, "SELECT @@LOCK_TIMEOUT")).isEqualTo("5000");
                    run(connection, "SET LOCK_TIMEOUT 4711");
                }
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void autoCommitOffIsAsTheServerHasItAfterAReset() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            pool.setAutoCommit(false);
            for (int loan = 0; loan < 2; loan++) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.getAutoCommit()).isFalse();
                    run(connection, "INSERT INTO item VALUES (1, 'dropped')");
                    run(connection, "SET LOCK_TIMEOUT 4711");
                }
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
            try (Connection connection = database.admin()) {
                assertThat(ask(connection, "SELECT COUNT(*) FROM item")).isEqualTo("0");
            }
        }
    }

    /** User connections; sessions and workers of Azure SQL. */
    @ParameterizedTest
    @ValueSource(ints = {17809, 10928, 10929})
    void aServerThatIsFullIsNotDownAndIsTriedOn(int error) throws Exception {
        try (ComportaDataSource pool = pool(2)) {
            FullServer.isTriedOn(
                    pool,
                    SQLException::getErrorCode,
                    error,
                    () -> database.misbehave(
                            Misbehaviour.NONE.withMaxUserConnections(1).withFullError(error)),
                    () -> database.misbehave(Misbehaviour.NONE));
        } finally {
            database.misbehave(Misbehaviour.NONE);
        }
    }

    /** The server counts it for as long as it takes to end the session. */
    @Test
    void aConnectionThatCouldNotBePreparedKeepsItsSlotUntilItHasEnded() throws Exception {
        database.misbehave(Misbehaviour.NONE.withSlowEnds(Duration.ofSeconds(4)));
        try (ComportaDataSource pool = pool(1)) {
            pool.setConnectionInitSql("RAISERROR ('not now', 16, 1)");
            pool.setConnectionTimeout(Duration.ofSeconds(2));
            int before = database.sessions();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            assertThat(database.sessions() - before).as("of a pool of one").isLessThanOrEqualTo(1);
        } finally {
            database.misbehave(Misbehaviour.NONE);
        }
    }

    /** The Java runtime closes the socket of a virtual thread that is interrupted while it waits for an answer. */
    @Test
    void aConnectionWhoseClientWasInterruptedKeepsItsSlotUntilItHasEnded() throws Exception {
        database.misbehave(Misbehaviour.NONE.withSlowEnds(Duration.ofSeconds(4)));
        try (ComportaDataSource pool = pool(1)) {
            int before = database.sessions();
            CountDownLatch connected = new CountDownLatch(1);
            Thread client = Thread.startVirtualThread(() -> {
                try (Connection connection = pool.getConnection()) {
                    connected.countDown();
                    run(connection, "WAITFOR DELAY '00:10:00'");
                } catch (SQLException _) {
                    // its connection is lost
                }
            });
            connected.await();
            client.interrupt();
            pool.getConnection().close();
            assertThat(client.join(Duration.ofMinutes(2))).isTrue();
            assertThat(database.sessions() - before).as("of a pool of one").isLessThanOrEqualTo(1);
        } finally {
            database.misbehave(Misbehaviour.NONE);
        }
    }
}
