package dev.comporta.jdbc.contract;

import static dev.comporta.jdbc.db.TestDatabase.ask;
import static dev.comporta.jdbc.db.TestDatabase.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.db.TestDatabase;
import dev.comporta.pool.state.CloseReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a client's network timeout does to the connection, and not to the next client. */
abstract class NetworkTimeoutContract<D extends TestDatabase> extends ConnectionContract<D> {
    NetworkTimeoutContract(D database) {
        super(database);
    }

    @Test
    void aNetworkTimeoutEndsWithTheLoan() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            int usual;
            try (Connection connection = pool.getConnection()) {
                usual = connection.getNetworkTimeout();
                connection.setNetworkTimeout(Runnable::run, 60_000);
                ask(connection, database.sessionId());
                assertThat(connection.unwrap(Connection.class).getNetworkTimeout())
                        .isEqualTo(database.hasNetworkTimeout() ? 60_000 : usual);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getNetworkTimeout()).isEqualTo(usual);
                assertThat(connection.unwrap(Connection.class).getNetworkTimeout())
                        .isEqualTo(usual);
            }
            assertThat(pool.statistics().opened()).isEqualTo(1);
        }
    }

    @Test
    void aQueryBeyondTheNetworkTimeoutLosesTheConnectionWhereTheDriverHasOneAndIsWaitedForWhereItHasNone()
            throws SQLException {
        if (database.hasNetworkTimeout()) {
            assertSlowQueryLosesTheConnection();
        } else {
            assertSlowQueryIsWaitedFor();
        }
    }

    /** The client has stopped waiting; the server works on, and counts the session: there are no more than the limit. */
    private void assertSlowQueryLosesTheConnection() throws SQLException {
        int before = database.sessions();
        try (ComportaDataSource pool = pool(1)) {
            String lost;
            int usual;
            try (Connection connection = pool.getConnection()) {
                lost = ask(connection, database.sessionId());
                usual = connection.getNetworkTimeout();
                connection.setNetworkTimeout(Runnable::run, 200);
                assertThatThrownBy(() -> run(connection, database.slow())).isInstanceOf(SQLException.class);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(database.sessions() - before)
                        .as("sessions at the server")
                        .isEqualTo(1);
                assertThat(ask(connection, database.sessionId())).isNotEqualTo(lost);
                assertThat(connection.getNetworkTimeout()).isEqualTo(usual);
                assertThat(pool.statistics().total()).isEqualTo(1);
            }
            assertThat(pool.statistics().opened()).isEqualTo(2);
            assertThat(pool.statistics().closed().get(CloseReason.LOST)).isEqualTo(1);
            assertThat(pool.statistics().closed().get(CloseReason.END_UNSEEN)).isZero();
        }
    }

    /** The driver takes a timeout and ignores it: no connection is lost. */
    private void assertSlowQueryIsWaitedFor() throws SQLException {
        try (ComportaDataSource pool = pool(1)) {
            try (Connection connection = pool.getConnection()) {
                connection.setNetworkTimeout(Runnable::run, 200);
                long since = System.nanoTime();
                run(connection, database.slow());
                assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(Duration.ofMillis(200));
            }
            pool.getConnection().close();
            assertThat(pool.statistics().opened()).isEqualTo(1);
            assertThat(pool.statistics().closed().get(CloseReason.LOST)).isZero();
        }
    }
}
