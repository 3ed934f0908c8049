package dev.comporta.app;

import static dev.comporta.app.Http.scrape;
import static dev.comporta.app.RunningProxy.bucket;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a running instance when its files have changed. */
@Timeout(90)
class ReloadTest {
    private static final String PLAIN = "encrypt: off, max_connections: ";

    @TempDir
    private Path directory;

    private RunningProxy start(int limit) throws IOException {
        return RunningProxy.start(directory, "instance_id: one", PLAIN + limit);
    }

    @Test
    void theLimitIsRaisedAndLoweredUnderLoadAndNoClientNotices() throws Exception {
        try (RunningProxy running = start(2);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean over = new AtomicBoolean();
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                clients.add(threads.submit(() -> work(running, over)));
            }
            try {
                await().until(() -> running.server.counters().sessionsOpen() == 2);
                running.reload("instance_id: one", bucket(running.server, "one", PLAIN + 6));
                await().until(() -> running.server.counters().sessionsOpen() == 6);
                assertThat(running.server.counters().mostSessions()).isEqualTo(6);

                running.reload("instance_id: one", bucket(running.server, "one", PLAIN + 3));
                await().until(() -> running.server.counters().sessionsOpen() <= 3);
                running.server.forgetMostSessions();
                long asked = running.server.counters().requests();
                await().until(() -> running.server.counters().requests() >= asked + 300);
                assertThat(running.server.counters().mostSessions()).isLessThanOrEqualTo(3);
            } finally {
                over.set(true); // or those who work would go on for ever
            }
            for (Future<Integer> client : clients) {
                assertThat(client.get()).isPositive();
            }
            assertThat(scrape(running.instance).value("proxy_connections_max{bucket=\"one\"}"))
                    .isEqualTo(3);
            assertThat(scrape(running.instance).value("proxy_config_reloads_total{result=\"applied\"}"))
                    .isEqualTo(2);
        }
    }

    private static int work(RunningProxy running, AtomicBoolean over) throws SQLException {
        int served = 0;
        try (Connection connection = running.connect()) {
            while (!over.get()) {
                assertThat(ask(connection, "WAITFOR DELAY '00:00:00.005'; SELECT 7"))
                        .isEqualTo("7");
                served++;
            }
        }
        return served;
    }

    @Test
    void bucketsComeAndGoWhileTheOthersServe() throws Exception {
        try (RunningProxy running = start(2);
                LogLines log = new LogLines(Reloads.class);
                Standin second = Standin.builder()
                        .serverName("SECOND")
                        .database("Other")
                        .login("sa", RunningProxy.PASSWORD)
                        .start();
                Connection first = running.connect()) {
            assertThatThrownBy(() -> connect(running, "Other")).hasMessageContaining("Other");
            String one = bucket(running.server, "one", PLAIN + 2);
            String two = bucket(second, "two", "database: Other, " + PLAIN + 1);
            running.reload("instance_id: one", one, two);
            Connection other = connect(running, "Other");
            assertThat(ask(other, "SELECT @@SERVERNAME")).isEqualTo("SECOND");
            assertThat(scrape(running.instance).value("proxy_connections_max{bucket=\"two\"}"))
                    .isEqualTo(1);

            Jdbc.run(other, "CREATE TABLE t (n INT)");
            Jdbc.run(other, "BEGIN TRANSACTION; INSERT INTO t VALUES (1)");
            running.reload("instance_id: one", one);
            assertThatThrownBy(() -> connect(running, "Other"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(50002));
            Jdbc.run(other, "INSERT INTO t VALUES (2); COMMIT");
            log.await("bucket two closed: all clients have left");
            assertThat(second.counters().sessionsOpen()).isZero();
            assertThat(second.counters().rollbacksAtDisconnect()).isZero();
            assertThatThrownBy(() -> ask(other, "SELECT 1")).isInstanceOf(SQLException.class);
            await().untilAsserted(
                            () -> assertThat(scrape(running.instance).has("proxy_connections_max{bucket=\"two\"}"))
                                    .isFalse());

            running.reload("instance_id: one", one, two);
            try (Connection again = connect(running, "Other")) {
                assertThat(ask(again, "SELECT COUNT(*) FROM t")).isEqualTo("2");
            }
            assertThat(ask(first, "SELECT 1")).isEqualTo("1");
        }
    }

    private static Connection connect(RunningProxy running, String database) throws SQLException {
        return running.connect("main", "databaseName=" + database + ";user=sa;password=" + RunningProxy.PASSWORD);
    }

    @Test
    void aClientThatDoesNotEndIsCutOffWithItsRemovedBucket() throws Exception {
        try (RunningProxy running = start(2);
                LogLines log = new LogLines(Reloads.class);
                Standin second = Standin.builder()
                        .database("Other")
                        .login("sa", RunningProxy.PASSWORD)
                        .start()) {
            String one = bucket(running.server, "one", PLAIN + 2);
            running.reload("instance_id: one", one, bucket(second, "two", "database: Other, " + PLAIN + 1));
            Connection sleeper = connect(running, "Other");
            Jdbc.run(sleeper, "BEGIN TRANSACTION; SELECT 1");
            running.reload("instance_id: one, shutdown_timeout: 300ms", one);
            log.await("bucket two closed: shutdown_timeout expired, remaining clients disconnected");
            await().untilAsserted(
                            () -> assertThat(second.counters().sessionsOpen()).isZero());
            assertThatThrownBy(() -> ask(sleeper, "SELECT 1")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void filesWithErrorsChangeNothing() throws Exception {
        try (RunningProxy running = start(2);
                LogLines log = new LogLines(Reloads.class);
                Connection client = running.connect()) {
            running.reload(
                    "instance_id: one, idle_timeout: 1ms",
                    bucket(running.server, "one", PLAIN + 5),
                    bucket(running.server, "two", "max_conections: 5, database: Other"));
            assertThat(log.lines())
                    .anyMatch(line -> line.matches(
                            ".*buckets.yaml:2:\\d+: error: buckets\\[two]\\.max_conections: .*max_connections.*"))
                    .contains("reload failed, configuration unchanged (errors above)")
                    .noneMatch(line -> line.contains("instead of"));
            assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            Exposition scrape = scrape(running.instance);
            assertThat(scrape.value("proxy_connections_max{bucket=\"one\"}")).isEqualTo(2);
            assertThat(scrape.value("proxy_config_reloads_total{result=\"failed\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("proxy_config_last_reload_failed")).isEqualTo(1);

            running.reload("instance_id: one", bucket(running.server, "one", PLAIN + 5));
            await().untilAsserted(() -> assertThat(scrape(running.instance).value("proxy_config_last_reload_failed"))
                    .isZero());
            assertThat(log.lines()).contains("buckets[one].max_connections: 5 instead of 2");
        }
    }

    @Test
    void whatNeedsARestartIsNamedEachTimeAndTheRestIsTakenOver() throws Exception {
        try (RunningProxy running = start(2);
                LogLines log = new LogLines(Reloads.class)) {
            String bucket = "{id: one, host: elsewhere, pool_mode: session, min_idle: 0, database: AppDB, "
                    + "encrypt: off, queue_timeout: 45s, max_connections: 4}";
            for (int i = 1; i <= 2; i++) {
                running.reload("instance_id: other, default_bucket: one", bucket);
                assertThat(log.lines())
                        .filteredOn(line -> line.equals("changed, and needs a restart: proxy.instance_id,"
                                + " buckets[one].port, buckets[one].host, buckets[one].pool_mode"))
                        .hasSize(i);
            }
            assertThat(log.lines())
                    .contains(
                            "proxy.default_bucket: one instead of nothing",
                            "buckets[one].queue_timeout: 45s instead of 30s",
                            "buckets[one].max_connections: 4 instead of 2");
            try (Connection client = connect(running, "Whatever")) {
                throw new AssertionError("the server has no such database: " + client);
            } catch (SQLException routed) {
                assertThat(routed.getMessage()).contains("Whatever");
                assertThat(routed.getErrorCode()).isNotEqualTo(50002);
            }
            try (Connection client = running.connect()) {
                Jdbc.run(client, "SET ANSI_NULLS ON");
                assertThat(scrape(running.instance).value("proxy_connections_pinned{bucket=\"one\"}"))
                        .as("still in transaction mode")
                        .isZero();
            }
        }
    }

    @Test
    void aServiceAccountsNewPasswordIsUsedForNewConnections() throws Exception {
        String mapped = "auth: mapped, username: sa, logins: [{username: web, password: web-1}], max_connections: 2, ";
        try (RunningProxy running = RunningProxy.start(
                directory,
                "instance_id: one",
                "encrypt: off, " + mapped + "password: wrong, reservoir: {initial_fill: 0}")) {
            assertThatThrownBy(() -> running.connect("main", "user=web;password=web-1"))
                    .isInstanceOf(SQLException.class);
            running.reload(
                    "instance_id: one",
                    bucket(running.server, "one", "encrypt: off, " + mapped + "password: " + RunningProxy.PASSWORD));
            try (Connection client = running.connect("main", "user=web;password=web-1")) {
                assertThat(ask(client, "SELECT 1")).isEqualTo("1");
            }
        }
    }
}
