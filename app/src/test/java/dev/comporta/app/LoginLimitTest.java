package dev.comporta.app;

import static dev.comporta.app.RunningProxy.PASSWORD;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A login's limit is one for all ways to write its name. */
@Timeout(60)
class LoginLimitTest {
    private static final String BUCKET = "max_connections: 4, pool_mode: session, trust_server_certificate: true, ";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"max_connections_per_login: 1", "logins: [{username: Sa, max_connections: 1}]"})
    void aLoginInOtherLettersCountsOnTheSameLimit(String limit) throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "", BUCKET + limit);
                Connection other = running.connect("main", "user=other;password=" + PASSWORD);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> second;
            try (Connection first = running.connect("main", "user=sa;password=" + PASSWORD)) {
                assertThat(ask(first, "SELECT 1")).isEqualTo("1");
                assertThat(ask(other, "SELECT 1")).isEqualTo("1");
                second = threads.submit(() -> {
                    try (Connection client = running.connect("main", "user=SA;password=" + PASSWORD)) {
                        return ask(client, "SELECT 2");
                    }
                });
                await().until(() ->
                        waitsForNoConnect(running.proxy.glance("one").pool()));
                // There is room for another login, also for one that comes later.
                running.connect("main", "user=third;password=" + PASSWORD).close();
                assertThat(second.isDone()).isFalse();
            }
            assertThat(second.get()).isEqualTo("2");
        }
    }

    /** Who waits while a connection is opened waits for that one, not for a place. */
    private static boolean waitsForNoConnect(BucketSnapshot pool) {
        return pool.waiting() == 1
                && pool.count(ConnectionState.CONNECTING) == 0
                && pool.count(ConnectionState.LOGGING_IN) == 0;
    }
}
