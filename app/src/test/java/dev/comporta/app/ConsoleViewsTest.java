package dev.comporta.app;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.console.table.Row;
import dev.comporta.console.table.View;
import dev.comporta.testkit.RawClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the console shows of clients in known states. */
@Timeout(90)
class ConsoleViewsTest {
    private static final String BUCKET = "encrypt: off, max_connections: 2, queue_timeout: 60s";

    @TempDir
    private Path directory;

    private static Connection connect(RunningProxy running, String application) throws SQLException {
        return running.connect(
                "main",
                "user=sa;password=" + RunningProxy.PASSWORD + ";applicationName=" + application
                        + ";workstationID=desk-1;databaseName=AppDB");
    }

    @Test
    void everyClientIsShownWithWhatItDoes() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: one", BUCKET);
                ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
                Connection resting = connect(running, "resting");
                Connection busy = connect(running, "in-transaction");
                Connection keeper = connect(running, "keeper");
                Connection waiter = connect(running, "waiter")) {
            ConsoleClient console = new ConsoleClient(running.instance);
            ask(resting, "SELECT 1");
            run(busy, "BEGIN TRANSACTION");
            run(keeper, "CREATE TABLE #own (n INT)");
            String states = "SELECT application, state, pin_reason FROM sys.clients ORDER BY client_id";
            Future<String> answer = background.submit(() -> ask(waiter, "SELECT 7"));
            await().untilAsserted(() -> assertThat(console.ask(states))
                    .isEqualTo("resting|resting|null; in-transaction|pinned|transaction;"
                            + " keeper|pinned|temporary_table; waiter|waiting|null"));

            assertThat(console.ask("SELECT client_id, login, database_name, host_name, bucket, pool_mode, tds_version,"
                            + " CASE WHEN address LIKE '127.0.0.1:%' THEN 'local' END,"
                            + " CASE WHEN requests > 0 AND bytes_received > 0 AND bytes_sent > 0 THEN 'counted' END,"
                            + " CASE WHEN last_request >= connected_at THEN 'in order' END,"
                            + " CASE WHEN DATEDIFF(second, connected_at, SYSUTCDATETIME()) BETWEEN 0 AND 80 THEN 'lately' END"
                            + " FROM sys.clients WHERE application = 'resting'"))
                    .isEqualTo("1|sa|AppDB|desk-1|one|transaction|7.4|local|counted|in order|lately");
            assertThat(console.ask(
                            "SELECT bucket, login, place, client_id, DATEDIFF(second, waiting_since, timeout_at),"
                                    + " CASE WHEN waited_ms BETWEEN 0 AND 80000 THEN 'a while' END FROM sys.waiters"))
                    .isEqualTo("one|sa|1|4|60|a while");
            assertThat(
                            console.ask(
                                    "SELECT p.bucket, p.login, p.client_id, p.reason, c.state, c.client_id, c.local_user,"
                                            + " CASE WHEN c.spid > 0 THEN 'known' END, c.encrypted,"
                                            + " CASE WHEN p.age_ms BETWEEN 0 AND 80000 THEN 'a while' END"
                                            + " FROM sys.pins p JOIN sys.remote_connections c"
                                            + " ON c.server_name = p.bucket AND c.connection_id = p.connection_id ORDER BY p.client_id"))
                    .isEqualTo("one|sa|2|transaction|pinned|2|sa|known|false|a while;"
                            + " one|sa|3|temporary_table|pinned|3|sa|known|false|a while");
            assertThat(console.ask("SELECT server_name, healthy, total_conns, active, idle, waiting, pinned, clients,"
                            + " max_connections, slots_held, slots_fallback, paused, unhealthy_reason"
                            + " FROM sys.remote_pool_stats"))
                    .isEqualTo("one|true|2|2|0|1|2|4|2|2|false|false|null");
            assertThat(console.ask("SELECT server_name, local_user, total_connections, active_connections,"
                            + " waiting_requests FROM sys.remote_user_pool_stats WHERE active_connections > 0"))
                    .isEqualTo("one|sa|2|2|1");

            await().untilAsserted(
                            () -> assertThat(console.ask("SELECT CASE WHEN requests_per_second > 0 THEN 'some' END,"
                                            + " CASE WHEN wait_p50_ms BETWEEN 0 AND wait_p99_ms THEN 'in order' END,"
                                            + " CASE WHEN query_p99_ms > 0 THEN 'some' END,"
                                            + " CASE WHEN longest_transaction_ms BETWEEN (SELECT age_ms FROM sys.pins"
                                            + " WHERE reason = 'transaction') - 500 AND 80000 THEN 'that of the pin' END,"
                                            + " CASE WHEN longest_pin_ms >= longest_transaction_ms THEN 'at least' END"
                                            + " FROM sys.remote_pool_stats"))
                                    .isEqualTo("some|in order|some|that of the pin|at least"));

            run(busy, "COMMIT");
            assertThat(answer.get()).isEqualTo("7");
            await().untilAsserted(() -> assertThat(console.ask(states))
                    .isEqualTo("resting|resting|null; in-transaction|resting|null;"
                            + " keeper|pinned|temporary_table; waiter|resting|null"));
            assertThat(console.ask("SELECT COUNT(*) FROM sys.waiters")).isEqualTo("0");
            await().untilAsserted(() -> assertThat(console.ask(
                            "SELECT longest_transaction_ms, CASE WHEN longest_pin_ms >= 0 THEN 'the table' END"
                                    + " FROM sys.remote_pool_stats"))
                    .isEqualTo("null|the table"));
        }
    }

    @Test
    void aBucketWithoutRequestsHasNoPercentilesAndItsHistoryBegins() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: one", BUCKET)) {
            assertThat(new ConsoleClient(running.instance)
                            .ask("SELECT requests_per_second, wait_p50_ms, wait_p99_ms, query_p99_ms, longest_pin_ms,"
                                    + " longest_transaction_ms FROM sys.remote_pool_stats"))
                    .isEqualTo("0.0|null|null|null|null|null");
            assertThat(running.instance.recent().history("nowhere")).isEmpty();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !running.instance.recent().history("one").isEmpty());
            assertThat(running.instance
                            .recent()
                            .history("one")
                            .getLast()
                            .occupancy()
                            .limit())
                    .isEqualTo(2);
        }
    }

    @Test
    void aClientThatHasLeftIsNotShown() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: one", BUCKET)) {
            ConsoleClient console = new ConsoleClient(running.instance);
            try (Connection client = running.connect()) {
                ask(client, "SELECT 1");
                assertThat(console.ask("SELECT client_id FROM sys.clients")).isEqualTo("1");
            }
            await().untilAsserted(() ->
                    assertThat(console.ask("SELECT COUNT(*) FROM sys.clients")).isEqualTo("0"));
        }
    }

    @Test
    void aClientOfASessionModeBucketKeepsItsConnection() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: one", BUCKET + ", pool_mode: session");
                Connection client = running.connect()) {
            ask(client, "SELECT 1");
            assertThat(
                            new ConsoleClient(running.instance)
                                    .ask(
                                            "SELECT state, pool_mode, CASE WHEN connection_id > 0 THEN 'kept' END FROM sys.clients"))
                    .isEqualTo("pinned|session|kept");
        }
    }

    @Test
    void preparedStatementsAreCounted() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: one", BUCKET);
                Connection client = running.connect()) {
            try (PreparedStatement statement = client.prepareStatement("SELECT ?")) {
                for (int i = 0; i < 5; i++) {
                    statement.setInt(1, i);
                    statement.executeQuery().close();
                }
                assertThat(new ConsoleClient(running.instance)
                                .ask("SELECT prepared_texts, CASE WHEN prepared_bytes > 0 THEN 'some' END,"
                                        + " CASE WHEN prepared_hits > 0 THEN 'some' END, prepared_again"
                                        + " FROM sys.remote_pool_stats"))
                        .isEqualTo("1|some|some|0");
            }
        }
    }

    @Test
    void everyViewCanBeRead() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "instance_id: one, query_timeout: 5m", BUCKET);
                Connection client = running.connect()) {
            ask(client, "SELECT 1");
            ConsoleClient console = new ConsoleClient(running.instance);
            List<String> empty = new ArrayList<>();
            for (View view : running.instance.console().catalog().views()) {
                String name = view.schema() + "." + view.name();
                List<Row> rows = rowsOf(console, "SELECT * FROM " + name, view);
                if (!view.shownAs().isEmpty()) { // the others are the catalog's, and some are for tools alone
                    rowsOf(console, "SHOW " + view.shownAs(), view);
                    if (rows.isEmpty()) {
                        empty.add(name);
                    }
                }
            }
            assertThat(empty).as("of those nothing can be seen").isSubsetOf("sys.waiters", "sys.pins", "sys.events");
            assertThat(console.ask(
                            "SELECT instance, is_this, bucket, slots_held, degraded, last_seen FROM sys.instances"))
                    .isEqualTo("one|true|one|1|false|null");
            assertThat(console.ask("SELECT server_name, host, database_name, state, pool_mode, policy, max_connections,"
                            + " min_idle, max_queue_size, queue_timeout_ms FROM sys.buckets"))
                    .isEqualTo("one|127.0.0.1|AppDB|up|transaction|wait|2|0|1000|60000");
            assertThat(console.ask("SELECT value, default_value, source, changes_at FROM sys.settings"
                            + " WHERE name = 'proxy.query_timeout' OR name = 'buckets[one].host'"
                            + " OR name = 'buckets[one].lease_retry' ORDER BY name"))
                    .isEqualTo("127.0.0.1|null|file|restart; 500ms|500ms|default|run time; 5m|0s|file|run time");
        }
    }

    /** Each with all columns of the view. */
    private static List<Row> rowsOf(ConsoleClient console, String text, View view) {
        assertThat(console.rows(text))
                .as(text)
                .allMatch(row -> row.size() == view.columns().size());
        return console.rows(text);
    }

    @Test
    void eventsTellOfRefusedLoginsAndOfTheServersHealth() throws Exception {
        try (RunningProxy running = RunningProxy.start(
                directory,
                "instance_id: one",
                BUCKET + ", when_down: refuse, health: {failure_threshold: 1, backoff: 5s}")) {
            ConsoleClient console = new ConsoleClient(running.instance);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> running.connect("main", "user=sa;password=wrong;databaseName=AppDB"))
                        .isInstanceOf(SQLException.class);
            }
            await().untilAsserted(
                            () -> assertThat(console.ask("SELECT kind, bucket, client, login, times FROM sys.events"
                                            + " WHERE kind = 'login refused' AND message LIKE '18456 %'"))
                                    .isEqualTo("login refused|one|127.0.0.1|sa|2"));
            // mssql-jdbc would try a second time by itself.
            try (RawClient client = new RawClient(running.proxy.port())) {
                client.prelogin(false);
                client.sendLogin(login -> login.userName("sa").database("Nowhere"));
                client.response().release();
            }
            await().untilAsserted(() -> assertThat(console.ask("SELECT bucket, login, times FROM sys.events"
                            + " WHERE kind = 'login refused' AND message LIKE '50002 %'"))
                    .isEqualTo("null|sa|1"));

            try (Connection known = running.connect()) {
                ask(known, "SELECT 1");
                running.server.close();
                // Who asks finds out that the server is gone, and the bucket is down from then on for its back-off.
                await().untilAsserted(() -> {
                    assertThatThrownBy(() -> askAnew(running)).isInstanceOf(SQLException.class);
                    assertThat(console.ask("SELECT DISTINCT bucket FROM sys.events WHERE kind = 'bucket down'"))
                            .isEqualTo("one");
                    assertThat(console.ask("SELECT healthy, b.state FROM sys.remote_pool_stats p"
                                    + " JOIN sys.buckets b ON b.server_name = p.server_name"))
                            .isEqualTo("false|down");
                });
            }
        }
    }

    private static void askAnew(RunningProxy running) throws SQLException {
        try (Connection again =
                running.connect("main", "user=sa;password=" + RunningProxy.PASSWORD + ";connectRetryCount=0")) {
            ask(again, "SELECT 1");
        }
    }
}
