package dev.comporta.app;

import static dev.comporta.app.Http.get;
import static dev.comporta.app.Http.health;
import static dev.comporta.app.Http.scrape;
import static dev.comporta.testkit.Jdbc.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.metrics.Metric;
import dev.comporta.standin.Standin;
import dev.comporta.testkit.Jdbc;
import dev.comporta.testkit.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two instances, as their files describe them, that share a limit through Redis. */
@Timeout(120)
class FleetTest {
    private static final int LIMIT = 4;
    private static final String PASSWORD = "Secret!1";

    @TempDir
    private Path directory;

    private Standin server;
    private RedisProcess redis;

    @BeforeEach
    void start() throws IOException {
        server = Standin.builder().database("AppDB").login("sa", PASSWORD).start();
        redis = new RedisProcess();
    }

    @AfterEach
    void stop() {
        redis.close();
        server.close();
    }

    @Test
    void twoInstancesTogetherKeepTheLimitAndOneThatStopsLeavesItAllToTheOther() throws Exception {
        try (Instance other = instance("other")) {
            try (Instance one = instance("one")) {
                workThroughBoth(one, other);
            }
            // Whatever each of them had at the end: those who need more than is there wait for it.
            List<Connection> open = new ArrayList<>();
            for (int i = 0; i < LIMIT; i++) {
                Connection connection = connect(other);
                Jdbc.run(connection, "BEGIN TRANSACTION");
                open.add(connection);
            }
            assertThat(server.counters().sessionsOpen()).isEqualTo(LIMIT);
            assertThat(server.counters().mostSessions()).isEqualTo(LIMIT);
            for (Connection connection : open) {
                connection.close();
            }
        }
        await().untilAsserted(() -> assertThat(server.counters().sessionsOpen()).isZero());
    }

    @Test
    void eachInstanceShowsWhoIsInTheFleetAndHoldsWhat() throws Exception {
        try (LogLines log = new LogLines(FleetLog.class);
                Instance one = instance("one")) {
            int known;
            try (Instance other = instance("other")) {
                // It has joined: what it asks for from now on it asks for in calls of their own.
                log.await("instances: one \\(this one\\) with \\d slots, other with \\d slots");
                try (Connection client = connect(other)) {
                    Jdbc.run(client, "BEGIN TRANSACTION");
                    await().untilAsserted(() -> assertOtherIsShown(
                            get(one.healthPort(), "/instances").body()));
                    await().untilAsserted(() -> assertOtherIsInTheMetrics(scrape(one)));
                    assertThat(scrape(other).value("proxy_redis_operations_total{operation=\"acquire\",status=\"ok\"}"))
                            .isPositive();
                    await().untilAsserted(() -> assertThat(health(one).body())
                            .containsPattern("\"name\":\"redis\",\"status\":\"healthy\",\"latency\":"));
                }
                known = log.lines().size();
            }
            await().untilAsserted(() -> assertThat(scrape(one).has("proxy_instance_heartbeat{instance=\"other\"}"))
                    .isFalse());
            // Also before the other joined there was such a line.
            await().until(() -> log.lines().stream()
                    .skip(known)
                    .anyMatch(line -> line.matches("instances: one \\(this one\\) with \\d slots")));
        }
    }

    private static void assertOtherIsShown(String instances) {
        assertThat(instances)
                .contains("\"instance_id\":\"one\",\"shared\":true,\"degraded\":false")
                .containsPattern("\"instance\":\"one\",\"self\":true,\"last_heartbeat\":\"[^\"]+\"")
                .containsPattern("\"instance\":\"other\",\"self\":false,\"last_heartbeat\":\"[^\"]+\","
                        + "\"degraded\":false,\"held\":1,\"slots\":\\[\\{\"bucket\":\"one\",\"held\":1,");
    }

    private static void assertOtherIsInTheMetrics(Exposition scrape) {
        assertThat(scrape.types)
                .hasSameSizeAs(EnumSet.complementOf(EnumSet.of(Metric.DYNAMODB_OPERATIONS, Metric.DYNAMODB_LATENCY)));
        assertThat(scrape.value("proxy_slots_held{bucket=\"one\",instance=\"other\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("proxy_slots_held{bucket=\"one\",instance=\"one\"}"))
                .isZero();
        assertThat(scrape.value("proxy_instance_heartbeat{instance=\"other\"}")).isEqualTo(1);
        assertThat(scrape.value("proxy_slots_limit{bucket=\"one\"}")).isEqualTo(LIMIT);
        assertThat(scrape.value("proxy_slots_limit_disputed{bucket=\"one\"}")).isZero();
        assertThat(scrape.value("proxy_redis_operations_total{operation=\"heartbeat\",status=\"ok\"}"))
                .isPositive();
    }

    @Test
    void whileRedisIsAwayAnInstanceSaysSoAndStaysReady() throws Exception {
        try (Instance one = instance("one", "3s");
                Connection client = connect(one)) {
            ask(client, "SELECT 1");
            redis.stop();
            await().untilAsserted(() ->
                    assertThat(scrape(one).value("proxy_degraded")).isEqualTo(1));
            assertThat(health(one).body())
                    .startsWith("{\"status\":\"degraded\"")
                    .contains("{\"name\":\"redis\",\"status\":\"degraded\",\"message\":\"");
            assertThat(get(one.healthPort(), "/health/ready").statusCode()).isEqualTo(200);
            assertThat(get(one.healthPort(), "/instances").body()).contains("\"degraded\":true");
            await().untilAsserted(() -> assertThat(scrape(one).value("proxy_fallback_active{bucket=\"one\"}"))
                    .isEqualTo(1));
            assertThat(scrape(one).value("proxy_redis_operations_total{operation=\"register\",status=\"failed\"}")
                            + scrape(one)
                                    .value("proxy_redis_operations_total{operation=\"heartbeat\",status=\"failed\"}"))
                    .isPositive();
            assertThat(scrape(one).value("proxy_instance_heartbeat{instance=\"one\"}"))
                    .isZero();
            assertThat(ask(client, "SELECT 2")).isEqualTo("2");
            redis.startEmpty();
            await().untilAsserted(() -> assertThat(health(one).body()).startsWith("{\"status\":\"healthy\""));
            assertThat(scrape(one).value("proxy_fallback_active{bucket=\"one\"}"))
                    .isZero();
            assertThat(new ConsoleClient(one)
                            .ask("SELECT bucket, message FROM sys.events WHERE kind = 'fallback' ORDER BY event_id"))
                    .isEqualTo("one|The lease store can't be reached: the limit is this instance's share.;"
                            + " one|The lease store answers again: slots are leased.");
        }
    }

    @Test
    void aReloadAtOneChangesTheLimitForAllAndABucketItRemovesIsLeftToTheOthers() throws Exception {
        try (Instance one = instance("one");
                Instance other = instance("other")) {
            try (Connection first = connect(one)) {
                ask(first, "SELECT 1");
            }
            writeBuckets("one", "one", LIMIT + 2);
            one.reload();
            await().untilAsserted(() -> assertThat(scrape(other).value("proxy_slots_limit{bucket=\"one\"}"))
                    .isEqualTo(LIMIT + 2));
            List<Connection> clients = new ArrayList<>();
            for (int i = 0; i < LIMIT + 2; i++) {
                Connection client = connect(other);
                Jdbc.run(client, "BEGIN TRANSACTION");
                clients.add(client);
            }
            assertThat(server.counters().mostSessions()).isEqualTo(LIMIT + 2);
            for (Connection client : clients) {
                Jdbc.run(client, "COMMIT");
            }
            writeBuckets("one", "one", 1);
            one.reload();
            await().untilAsserted(
                            () -> assertThat(server.counters().sessionsOpen()).isLessThanOrEqualTo(1));

            writeBuckets("one", "another", 1);
            one.reload();
            await().untilAsserted(() ->
                    assertThat(get(other.healthPort(), "/instances").body()).doesNotContain("\"instance\":\"one\""));
            assertThat(get(one.healthPort(), "/instances").body()).contains("\"bucket\":\"another\"");
            for (Connection client : clients) {
                assertThat(ask(client, "SELECT 2")).isEqualTo("2");
                client.close();
            }
        }
    }

    private void workThroughBoth(Instance one, Instance other) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                Instance through = i % 2 == 0 ? one : other;
                clients.add(threads.submit(() -> work(through)));
            }
            for (Future<?> client : clients) {
                client.get();
            }
            assertThat(server.counters().mostSessions()).isEqualTo(LIMIT);
        }
    }

    private static Void work(Instance through) throws SQLException {
        try (Connection connection = connect(through)) {
            for (int i = 0; i < 20; i++) {
                assertThat(ask(connection, "WAITFOR DELAY '00:00:00.005'; SELECT " + i))
                        .isEqualTo(Integer.toString(i));
            }
        }
        return null;
    }

    private Instance instance(String name) throws IOException {
        return instance(name, "10s"); // no lease ends though the machine pauses; a new Redis gives no slots for as long
    }

    private Instance instance(String name, String timeToLive) throws IOException {
        Path proxyFile =
                Files.writeString(directory.resolve(name + ".yaml"), """
                proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0, event_loops: 2,
                        instance_id: %s}
                redis: {addr: "127.0.0.1:%d", heartbeat_interval: 500ms, heartbeat_ttl: %s}
                """.formatted(name, redis.port(), timeToLive));
        Path bucketsFile = writeBuckets(name, "one", LIMIT);
        ConfigurationReader reader = ConfigurationReader.ofThisProcess();
        return Instance.start(reader.read(proxyFile, bucketsFile), () -> reader.read(proxyFile, bucketsFile));
    }

    private Path writeBuckets(String instance, String bucket, int limit) throws IOException {
        return Files.writeString(
                directory.resolve(instance + "-buckets.yaml"), """
                buckets: [{id: %s, host: 127.0.0.1, port: %d, database: AppDB, min_idle: 0, max_connections: %d,
                           trust_server_certificate: true}]
                """.formatted(bucket, server.port(), limit));
    }

    private static Connection connect(Instance through) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:"
                + through.proxy().port()
                + ";databaseName=AppDB;encrypt=false;trustServerCertificate=true;user=sa;password=" + PASSWORD);
    }
}
