package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
            Future<Boolean> drained = background.submit(() -> running.proxy.drain(Duration.ofSeconds(50)));

            await().until(() -> !idle.isValid(5));
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
    void aTransactionThatDoesNotEndIsNotWaitedForForever() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET);
                Connection busy = running.connect()) {
            run(busy, "BEGIN TRANSACTION");
            assertThat(running.proxy.drain(Duration.ofMillis(100))).isFalse();
        }
    }
}
