package dev.comporta.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.stats.PoolStatistics;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A server that has no room for another connection, and gets some. */
final class FullServer {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Something that is done to the server. */
    interface Step {
        void take() throws Exception;
    }

    private FullServer() {}

    /**
     * It is not down: the connections that it has serve on, openings are tried on, and a client that waits is served as soon as
     * one succeeds.
     *
     * @param pool for two connections at least
     * @param why of an error, the state or code that says so
     */
    static <T> void isTriedOn(
            ComportaDataSource pool, Function<SQLException, T> why, T expected, Step fill, Step makeRoom)
            throws Exception {
        pool.setFailureThreshold(1);
        pool.setConnectionTimeout(PATIENCE);
        try (Connection held = pool.getConnection()) {
            fill.take();
            CompletableFuture<Connection> waits = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return pool.getConnection();
                        } catch (SQLException e) {
                            throw new AssertionError(e);
                        }
                    },
                    Thread::startVirtualThread);
            await("it is tried again and again")
                    .atMost(PATIENCE)
                    .until(() -> waits.isDone() || pool.statistics().full() >= 2);
            assertThat(waits).isNotDone();
            assertThat(pool.isHealthy()).isTrue();
            pool.setConnectionTimeout(Duration.ofMillis(20));
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("the server has been full for")
                    .cause()
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(why.apply(e)).isEqualTo(expected));
            PoolStatistics full = pool.statistics();
            assertThat(full.openFailures()).isEqualTo(full.full());
            assertThat(held.isValid(5)).isTrue();
            makeRoom.take();
            waits.get(2, TimeUnit.MINUTES).close();
            assertThat(pool.isHealthy()).isTrue();
            assertThat(pool.statistics().unhealthyReason()).isEmpty();
        }
    }
}
