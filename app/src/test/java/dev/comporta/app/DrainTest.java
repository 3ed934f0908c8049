package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.testkit.RawClient;
import java.net.ConnectException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DrainTest {
    /** Nobody is cut off because the machine pauses. */
    private static final Duration LONG = Duration.ofSeconds(40);

    private static final String BUCKET = "max_connections: 2, trust_server_certificate: true";

    @TempDir
    private Path directory;

    @Test
    void transactionsEndBeforeTheProxyStops() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET);
                ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
                Connection busy = running.connect();
                Connection idle = running.connect()) {
            run(busy, "CREATE TABLE notes (id INT)");
            run(busy, "BEGIN TRANSACTION; INSERT INTO notes VALUES (1)");
            Future<Boolean> drained = background.submit(() -> running.proxy.drain(LONG));

            await().until(() -> running.proxy.glance("one").clients() == 1);
            assertThat(idle.isValid(5)).isFalse();
            assertThatThrownBy(running::connect).isInstanceOf(SQLException.class);
            assertThat(drained.isDone()).isFalse();
            run(busy, "INSERT INTO notes VALUES (2)");
            run(busy, "COMMIT");

            assertThat(drained.get()).isTrue();
            assertThat(busy.isValid(5)).isFalse();
            try (Connection direct = DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + running.server.port()
                    + ";databaseName=AppDB;encrypt=false;user=sa;password=" + RunningProxy.PASSWORD)) {
                assertThat(ask(direct, "SELECT COUNT(*) FROM notes")).isEqualTo("2");
            }
        }
    }

    @Test
    void duringTheDelayItIsNotReadyAndLetsClientsIn() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "drain_delay: 10m, shutdown_timeout: 10m", BUCKET);
                Connection before = running.connect()) {
            assertThat(running.instance.beginToStop()).isTrue();
            await().until(() ->
                    Http.get(running.instance.healthPort(), "/health/ready").statusCode() == 503);
            try (Connection during = running.connect()) {
                assertThat(ask(during, "SELECT 1")).isEqualTo("1");
                assertThat(ask(before, "SELECT 1")).isEqualTo("1");
            }
            assertThat(running.instance.beginToStop()).as("a second time").isFalse();
            running.instance.stopAtOnce();
            await().untilAsserted(() -> assertThatThrownBy(running::connect).isInstanceOf(SQLException.class));
            await().untilAsserted(() ->
                    assertThat(running.server.counters().sessionsOpen()).isZero());
        }
    }

    @Test
    void aClientWhoseLoginIsUnderWayWhenTheInstanceStopsIsLetIn() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET);
                ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
                Connection _ = running.connect();
                RawClient coming = new RawClient(running.proxy.port())) {
            coming.prelogin(false);
            Future<Boolean> drained = background.submit(() -> running.proxy.drain(LONG));
            await().untilAsserted(() -> assertThatThrownBy(() -> new RawClient(running.proxy.port()).close())
                    .isInstanceOf(ConnectException.class));
            coming.sendLogin();
            assertThat(coming.tokens()).anyMatch(token -> token.startsWith("LOGINACK"));
            assertThat(coming.answerTo("SELECT 1")).anyMatch(token -> token.startsWith("ROW"));
            assertThat(drained.get()).isTrue();
            assertThat(coming.isHungUpOn()).isTrue();
        }
    }

    @Test
    void aTransactionThatDoesNotEndIsNotWaitedForForever() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET);
                Connection busy = running.connect()) {
            run(busy, "BEGIN TRANSACTION; SELECT 1");
            assertThat(running.proxy.drain(Duration.ofMillis(100))).isFalse();
        }
    }
}
