package dev.comporta.app;

import static dev.comporta.app.Http.get;
import static dev.comporta.app.Http.health;
import static dev.comporta.app.Http.scrape;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.app.console.DrainPlan;
import dev.comporta.ops.metrics.Alias;
import dev.comporta.ops.metrics.Metric;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.TrafficSnapshot;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import dev.comporta.testkit.Jdbc;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an instance tells over HTTP of itself and its buckets. */
@Timeout(60)
class EndpointsTest {
    private static final String PLAIN = "max_connections: 3, encrypt: off";

    @TempDir
    private Path directory;

    private RunningProxy start(String bucket) throws IOException {
        return RunningProxy.start(directory, "instance_id: proxy-1", bucket);
    }

    @Test
    void aHealthyInstanceSaysSoInThePrototypesForm() throws Exception {
        try (RunningProxy running = start(PLAIN);
                Connection connection = running.connect()) {
            ask(connection, "SELECT 1");
            HttpResponse<String> health = health(running.instance);
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.headers().firstValue("content-type")).hasValue("application/json; charset=utf-8");
            assertThat(health.body())
                    .matches("\\{\"status\":\"healthy\",\"timestamp\":\"20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+Z\","
                            + "\"instance_id\":\"proxy-1\",\"phase\":\"running\",\"components\":\\["
                            + "\\{\"name\":\"sqlserver-one\",\"status\":\"healthy\",\"latency\":\"\\d+\\.\\dms\","
                            + "\"pool\":\\{\"bucket\":\"one\",\"server\":\"127.0.0.1:\\d+\",\"clients\":1,\"active\":0,\"idle\":1,\"pinned\":0,"
                            + "\"max\":3,\"queue\":0,\"age\":\"\\d+\\.\\dms\"}}]}");
            assertThat(get(running.instance.healthPort(), "/health/ready").statusCode())
                    .isEqualTo(200);
            assertThat(get(running.instance.healthPort(), "/health/live").body())
                    .contains("\"status\":\"alive\"", "\"instance_id\":\"proxy-1\"");
            assertThat(get(running.instance.healthPort(), "/metrics").statusCode())
                    .isEqualTo(404);
            assertThat(get(running.instance.metricsPort(), "/health").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void whatWasDoneIsInTheMetrics() throws Exception {
        try (RunningProxy running = start(PLAIN);
                Connection one = running.connect();
                Connection other = running.connect()) {
            double before = scrape(running.instance).value("proxy_query_duration_seconds_count{bucket=\"one\"}");
            for (int i = 0; i < 5; i++) {
                ask(one, "SELECT 1");
            }
            Jdbc.run(other, "BEGIN TRANSACTION");
            await().untilAsserted(
                            () -> assertThat(scrape(running.instance).value("proxy_connections_pinned{bucket=\"one\"}"))
                                    .isEqualTo(1));
            Exposition scrape = scrape(running.instance);
            assertThat(scrape.value("proxy_connections_active{bucket=\"one\"}")).isEqualTo(1);
            assertThat(scrape.value("proxy_connections_idle{bucket=\"one\"}"))
                    .isEqualTo(running.server.counters().sessionsOpen() - 1);
            assertThat(scrape.value("proxy_connections_max{bucket=\"one\"}")).isEqualTo(3);
            assertThat(scrape.value("proxy_clients{bucket=\"one\"}")).isEqualTo(2);
            assertThat(scrape.value("proxy_queue_length{bucket=\"one\"}")).isZero();
            assertThat(scrape.value("proxy_query_duration_seconds_count{bucket=\"one\"}"))
                    .isGreaterThanOrEqualTo(before + 6);
            assertThat(scrape.value("proxy_connections_total{bucket=\"one\",status=\"acquired\"}")
                            - scrape.value("proxy_connections_total{bucket=\"one\",status=\"released\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("proxy_connections_total{bucket=\"one\",status=\"opened\"}"))
                    .isEqualTo(running.server.counters().logins());
            BucketSnapshot pool = running.proxy.glance("one").pool();
            assertThat(scrape.value("proxy_query_duration_seconds_count{bucket=\"one\"}"))
                    .isEqualTo(pool.queryTime().count());
            assertThat(scrape.value("proxy_query_duration_seconds_sum{bucket=\"one\"}"))
                    .isEqualTo(pool.queryTime().sumNanos() / 1e9);
            TrafficSnapshot counted = pool.traffic();
            assertThat(scrape.value("proxy_bytes_total{bucket=\"one\",direction=\"sent\"}"))
                    .isEqualTo(counted.bytesSent());
            assertThat(scrape.value("proxy_bytes_total{bucket=\"one\",direction=\"received\"}"))
                    .isEqualTo(counted.bytesReceived())
                    .isNotEqualTo(counted.bytesSent());
            assertThat(scrape.value("proxy_pins_total{bucket=\"one\",reason=\"transaction\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("proxy_bucket_up{bucket=\"one\"}")).isEqualTo(1);
            assertThat(scrape.value("proxy_instance_heartbeat{instance=\"proxy-1\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("proxy_slots_held{bucket=\"one\",instance=\"proxy-1\"}"))
                    .isEqualTo(running.server.counters().sessionsOpen());
            assertThat(scrape.value("process_resident_memory_bytes")).isGreaterThan(1 << 20);
        }
    }

    @Test
    void whatTheRelayDidIsInTheMetrics() throws Exception {
        try (RunningProxy running = start(PLAIN);
                Connection one = running.connect();
                Connection _ = running.connect()) {
            ask(one, "SELECT 1");
            Glance glance = running.proxy.glance("one");
            Exposition scrape = scrape(running.instance);
            assertThat(scrape.value("proxy_logins_total{bucket=\"one\",type=\"checked\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("proxy_logins_total{bucket=\"one\",type=\"known\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value(
                            "proxy_tds_packets_total{bucket=\"one\",direction=\"received\",type=\"tabular_result\"}"))
                    .isEqualTo(glance.relay()
                            .packetsReceived()
                            .get("tabular_result")
                            .doubleValue())
                    .isPositive();
            assertThat(scrape.value("proxy_time_to_first_byte_seconds_count{bucket=\"one\"}"))
                    .isEqualTo(glance.pool().firstByteTime().count())
                    .isPositive();
            assertThat(scrape.value("proxy_own_round_trips_total{bucket=\"one\",reason=\"learn\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("proxy_refusals_total{bucket=\"\",reason=\"no_route\"}"))
                    .isZero();
            assertThat(scrape.value("proxy_buffer_memory_bytes{area=\"direct\"}"))
                    .isPositive()
                    .isLessThanOrEqualTo(scrape.value("proxy_buffer_memory_max_bytes"));
            assertThat(scrape.value("proxy_build_info{java=\""
                            + Runtime.version().feature() + "\",version=\"" + Version.text() + "\"}"))
                    .isEqualTo(1);
            // Both clients encrypt their login, inside of PRELOGIN packets.
            assertThat(scrape.value("proxy_client_tls_handshakes_total{result=\"ok\"}"))
                    .isEqualTo(2);
            assertThat(Version.text()).matches("\\d+\\.\\d+.*");
            await().untilAsserted(() -> assertThat(
                            scrape(running.instance).value("proxy_event_loop_lag_seconds_count{loop=\"loop-1\"}"))
                    .isPositive());
        }
    }

    @Test
    void aliasesAreExportedOnRequestWithTheSameValues() throws Exception {
        try (RunningProxy running = RunningProxy.start(directory, "metrics: {aliases: true}", PLAIN);
                Connection one = running.connect()) {
            ask(one, "SELECT 1");
            Exposition scrape = scrape(running.instance);
            for (Alias alias : Alias.values()) {
                assertThat(scrape.types)
                        .containsEntry(alias.id(), alias.type().name().toLowerCase(Locale.ROOT));
            }
            assertThat(scrape.value("dsql_reservoir_checkouts_total{service=\"one\"}"))
                    .isEqualTo(scrape.value("proxy_connections_total{bucket=\"one\",status=\"acquired\"}"))
                    .isPositive();
            assertThat(scrape.value("scratchbird_remote_pool_connections_total{server=\"one\",state=\"idle\"}"))
                    .isEqualTo(scrape.value("proxy_connections_idle{bucket=\"one\"}"))
                    .isEqualTo(scrape.value("dsql_reservoir_size{service=\"one\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("dsql_reservoir_refills_total{service=\"one\"}"))
                    .isEqualTo(scrape.value("proxy_connect_duration_seconds_count{bucket=\"one\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("scratchbird_remote_connection_bytes_sent_total{server=\"one\"}"))
                    .isEqualTo(scrape.value("proxy_bytes_total{bucket=\"one\",direction=\"sent\"}"));
            assertThat(scrape.value("scratchbird_remote_connection_query_duration_seconds_count{server=\"one\"}"))
                    .isEqualTo(scrape.value("proxy_query_duration_seconds_count{bucket=\"one\"}"));
            assertThat(scrape.value(
                            "scratchbird_remote_connection_query_duration_seconds{server=\"one\",quantile=\"0.99\"}"))
                    .isPositive();
        }
    }

    @Test
    void everyMetricThatIsNotOfTheFleetIsThere() throws Exception {
        Set<Metric> ofTheFleet = EnumSet.of(
                Metric.SLOTS_LIMIT,
                Metric.SLOTS_LIMIT_DISPUTED,
                Metric.FALLBACK_ACTIVE,
                Metric.REDIS_OPERATIONS,
                Metric.REDIS_LATENCY,
                Metric.DYNAMODB_OPERATIONS,
                Metric.DYNAMODB_LATENCY);
        Map<String, String> expected = new TreeMap<>();
        for (Metric metric : EnumSet.complementOf(EnumSet.copyOf(ofTheFleet))) {
            expected.put(metric.id(), metric.type().name().toLowerCase(Locale.ROOT));
        }
        try (RunningProxy running = start(PLAIN)) {
            assertThat(scrape(running.instance).types).containsExactlyInAnyOrderEntriesOf(expected);
        }
    }

    @Test
    void openMetricsIsSpokenToThoseWhoAskForIt() throws Exception {
        try (RunningProxy running = start(PLAIN)) {
            HttpResponse<String> plain = get(running.instance.metricsPort(), "/metrics");
            assertThat(plain.headers().firstValue("content-type").orElse("")).startsWith("text/plain; version=0.0.4");
            HttpResponse<String> open = get(
                    running.instance.metricsPort(),
                    "/metrics",
                    "Accept",
                    "application/openmetrics-text; version=1.0.0");
            assertThat(open.headers().firstValue("content-type").orElse("")).startsWith("application/openmetrics-text");
            assertThat(open.body()).endsWith("# EOF\n").contains("# TYPE proxy_connections counter\n");
        }
    }

    @Test
    void aDatabaseThatIsDownDegradesTheInstanceAndDoesNotTakeItOut() throws Exception {
        try (RunningProxy running = start(PLAIN + ", when_down: refuse, health: {failure_threshold: 1}");
                Connection client = running.connect()) {
            assertThat(health(running.instance).body())
                    .contains("\"server\":\"127.0.0.1:" + running.server.port() + "\"");
            running.server.close();
            // A request may still meet the connection that the server has just closed: that is no try to open one.
            await().untilAsserted(() -> {
                assertThat(errorOf(client)).isEqualTo(50003);
                assertThat(health(running.instance).body()).contains("\"status\":\"degraded\"");
            });
            assertThat(health(running.instance).body())
                    .contains("{\"name\":\"sqlserver-one\",\"status\":\"unhealthy\",\"message\":\"");
            assertThat(get(running.instance.healthPort(), "/health/ready").statusCode())
                    .isEqualTo(200);
            Exposition scrape = scrape(running.instance);
            assertThat(scrape.value("proxy_bucket_up{bucket=\"one\"}")).isZero();
            assertThat(scrape.value("proxy_connection_errors_total{bucket=\"one\",reason=\"create_failed\"}"))
                    .isPositive();
            assertThat(scrape.value("proxy_ready")).isEqualTo(1);
        }
    }

    @Test
    void scrapesAreAnsweredWhileTheQueueIsFull() throws Exception {
        try (RunningProxy running = start("max_connections: 1, encrypt: off, max_queue_size: 5, queue_timeout: 30s");
                Connection holder = running.connect();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Connection> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(running.connect());
            }
            Jdbc.run(holder, "BEGIN TRANSACTION");
            List<Future<Integer>> answers = new ArrayList<>();
            for (Connection client : clients) {
                answers.add(threads.submit(() -> errorOf(client)));
            }
            await().untilAsserted(() -> assertThat(scrape(running.instance)
                            .value("proxy_connections_total{bucket=\"one\",status=\"queue_full\"}"))
                    .isEqualTo(15));
            Exposition scrape = scrape(running.instance);
            assertThat(scrape.value("proxy_queue_length{bucket=\"one\"}")).isEqualTo(5);
            assertThat(health(running.instance).body()).contains("\"queue\":5");
            assertThat(get(running.instance.healthPort(), "/health/ready").statusCode())
                    .isEqualTo(200);
            Jdbc.run(holder, "COMMIT");
            int refused = 0;
            for (Future<Integer> answer : answers) {
                refused += answer.get() == 50005 ? 1 : 0;
            }
            assertThat(refused).isEqualTo(15);
            await().untilAsserted(() -> assertThat(scrape(running.instance).value("proxy_queue_length{bucket=\"one\"}"))
                    .isZero());
            assertThat(scrape(running.instance).value("proxy_queue_wait_duration_seconds_sum{bucket=\"one\"}"))
                    .isPositive();
            for (Connection client : clients) {
                client.close();
            }
        }
    }

    private static int errorOf(Connection client) {
        try {
            ask(client, "SELECT 1");
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    @Test
    void oneWhoStopsIsNotReadyAndTellsItsHealthToTheEnd() throws Exception {
        try (RunningProxy running = start(PLAIN)) {
            Thread drain;
            try (Connection holder = running.connect()) {
                Jdbc.run(holder, "BEGIN TRANSACTION; SELECT 1");
                drain = Thread.ofVirtual().start(() -> {
                    try {
                        running.instance.drain(new DrainPlan(Duration.ZERO, Duration.ofSeconds(30)));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                await().untilAsserted(() -> assertThat(get(running.instance.healthPort(), "/health/ready")
                                .statusCode())
                        .isEqualTo(503));
                assertThat(health(running.instance).body())
                        .contains("\"status\":\"unhealthy\"", "\"phase\":\"draining\"", "\"pinned\":1");
                assertThat(get(running.instance.healthPort(), "/health/live").statusCode())
                        .isEqualTo(200);
                assertThat(scrape(running.instance).value("proxy_ready")).isZero();
                Jdbc.run(holder, "COMMIT");
            }
            drain.join();
        }
    }

    @Test
    void anInstanceAloneIsItsWholeFleet() throws Exception {
        try (RunningProxy running = start(PLAIN);
                Connection connection = running.connect()) {
            ask(connection, "SELECT 1");
            assertThat(get(running.instance.healthPort(), "/instances").body())
                    .matches("\\{\"timestamp\":\"[^\"]+\",\"instance_id\":\"proxy-1\",\"shared\":false,"
                            + "\"degraded\":false,\"instances\":\\[\\{\"instance\":\"proxy-1\",\"self\":true,"
                            + "\"degraded\":false,\"held\":1,"
                            + "\"slots\":\\[\\{\"bucket\":\"one\",\"held\":1,\"waiting\":0,\"idle\":1}]}]}");
        }
    }
}
