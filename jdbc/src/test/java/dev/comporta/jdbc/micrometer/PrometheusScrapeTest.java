package dev.comporta.jdbc.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.ServerRegistry;
import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.pool.state.CloseReason;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Prometheus gets, name by name. */
class PrometheusScrapeTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final StubServer server = new StubServer();
    private final ServerRegistry servers = new ServerRegistry();
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RegistryMetrics metrics = new RegistryMetrics(servers);

    @BeforeEach
    void registerDriver() throws SQLException {
        DriverManager.registerDriver(server);
        metrics.bindTo(prometheus);
    }

    @AfterEach
    void closeAll() throws SQLException {
        servers.close();
        DriverManager.deregisterDriver(server);
    }

    private void create(String more) throws SQLException {
        servers.sql()
                .execute("CREATE SERVER legacy_pg OPTIONS (jdbcUrl 'jdbc:stub:x', user 'app', min_connections '0',"
                        + " max_connections '2', warmup_on_create 'false', shutdownTimeout '100'" + more + ")");
    }

    /** Every sample of a scrape by its name and labels. */
    private Map<String, Double> scrape() {
        Map<String, Double> samples = new TreeMap<>();
        prometheus.scrape().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
        });
        return samples;
    }

    private static String remote(String name, String more) {
        return "scratchbird_remote_" + name + "{" + (more.compareTo("server") < 0 && !more.isEmpty() ? more + "," : "")
                + "server=\"legacy_pg\"" + (more.compareTo("server") > 0 ? "," + more : "") + "}";
    }

    @Test
    void everyNameComesOutAsSpecifiedWithTheCoresNumbers() throws SQLException {
        create(", validate_on_acquire 'true', collect_query_stats 'true'");
        try (Connection first = servers.acquire("legacy_pg", "ana", PATIENCE);
                Connection second = servers.acquire("legacy_pg", "ana", PATIENCE)) {
            StubServer.execute(first, "SELECT 1");
            assertThatThrownBy(() -> StubServer.execute(second, "fail")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> servers.acquire("legacy_pg", "ana", Duration.ofMillis(5)))
                    .isInstanceOf(SQLException.class);
            assertThat(scrape())
                    .containsEntry(remote("pool_connections_total", "state=\"active\""), 2.0)
                    .containsEntry(remote("pool_connections_total", "state=\"failed\""), 1.0)
                    .containsEntry(remote("pool_connections_total", "state=\"idle\""), 0.0);
        }
        awaitOneIdle();
        servers.acquire("legacy_pg", "ana", PATIENCE).close();
        awaitOneIdle();
        PoolStatistics now = servers.poolStatistics("legacy_pg");
        Map<String, Double> samples = scrape();
        assertThat(samples)
                .containsEntry(remote("pool_acquires_total", ""), 3.0)
                .containsEntry(remote("pool_releases_total", ""), (double) now.releases())
                .containsEntry(remote("pool_timeouts_total", ""), 1.0)
                .containsEntry(remote("pool_errors_total", ""), (double) now.errors())
                .containsEntry(remote("pool_healthy", ""), 1.0)
                .containsEntry(remote("pool_health_checks_total", "result=\"success\""), (double) now.checksPassed())
                .containsEntry(remote("pool_health_checks_total", "result=\"failure\""), 0.0)
                .containsEntry(remote("connection_queries_total", ""), 2.0)
                .containsKey(remote("pool_acquire_duration_seconds", "quantile=\"0.5\""))
                .containsKey(remote("pool_acquire_duration_seconds", "quantile=\"0.99\""))
                .containsKey(remote("connection_query_duration_seconds", "quantile=\"0.5\""))
                .containsKey(remote("connection_query_duration_seconds", "quantile=\"0.99\""))
                .containsEntry("dsql_reservoir_size{service=\"legacy_pg\"}", (double) now.idle())
                .containsEntry("dsql_reservoir_checkouts_total{service=\"legacy_pg\"}", 3.0)
                .containsEntry("dsql_reservoir_empty_total{service=\"legacy_pg\"}", (double) now.foundNothingReady())
                .containsEntry("dsql_reservoir_discards_total{reason=\"lost\",service=\"legacy_pg\"}", 1.0)
                .containsEntry("dsql_reservoir_discards_total{reason=\"lifetime\",service=\"legacy_pg\"}", 0.0)
                .containsEntry("dsql_reservoir_refills_total{service=\"legacy_pg\"}", (double) now.opened())
                .containsEntry("dsql_reservoir_refill_failures_total{service=\"legacy_pg\"}", 0.0)
                .containsEntry("hikaricp_connections_max{pool=\"legacy_pg\"}", 2.0)
                .containsEntry("hikaricp_connections_acquire_seconds_count{pool=\"legacy_pg\"}", 3.0)
                .containsEntry("hikaricp_connections_timeout_total{pool=\"legacy_pg\"}", 1.0);
        assertThat(now.checksPassed()).isPositive();
        assertThat(now.errors()).isEqualTo(1);
        assertThat(now.closed().get(CloseReason.LOST)).isEqualTo(1);
        assertThat(samples.get(remote("connection_query_duration_seconds", "quantile=\"0.99\"")))
                .isPositive();
        assertThat(samples.keySet()).noneMatch(name -> name.contains("bytes"));
    }

    /** Resets, checks and closes are over. */
    private void awaitOneIdle() {
        await().atMost(PATIENCE).until(() -> {
            PoolStatistics now = servers.poolStatistics("legacy_pg");
            return now.idle() == 1 && now.total() == 1;
        });
    }

    @Test
    void failuresAreCountedAndAServerThatIsDownIsNotHealthy() throws SQLException {
        server.refusal = () -> new SQLException("connection refused", "08001");
        create(", failureThreshold '1'");
        assertThatThrownBy(() -> servers.acquire("legacy_pg", "ana", Duration.ofMillis(300)))
                .isInstanceOf(SQLException.class);
        await().atMost(PATIENCE).until(() -> !servers.isHealthy("legacy_pg"));
        assertThat(scrape())
                .containsEntry(remote("pool_healthy", ""), 0.0)
                .hasEntrySatisfying(
                        remote("pool_errors_total", ""), n -> assertThat(n).isPositive())
                .hasEntrySatisfying(
                        "dsql_reservoir_refill_failures_total{service=\"legacy_pg\"}",
                        n -> assertThat(n).isPositive())
                .doesNotContainKey(remote("connection_queries_total", ""));
    }

    @Test
    void metersOfADataSourceMayBeBoundBeforeItStarts() throws SQLException {
        try (ComportaDataSource pool = new ComportaDataSource()) {
            pool.setJdbcUrl("jdbc:stub:x");
            pool.setMinimumIdle(0);
            new PoolMetrics("legacy_pg", pool::statistics).bindTo(prometheus);
            new ReservoirMetrics("legacy_pg", pool::statistics).bindTo(prometheus);
            new RemotePoolMetrics("legacy_pg", pool::statistics).bindTo(prometheus);
            assertThat(scrape())
                    .containsEntry(remote("pool_acquires_total", ""), 0.0)
                    .containsEntry("hikaricp_connections_usage_seconds_count{pool=\"legacy_pg\"}", 0.0)
                    .containsEntry("dsql_reservoir_size{service=\"legacy_pg\"}", Double.NaN);
            pool.getConnection().close();
            assertThat(scrape())
                    .containsEntry(remote("pool_acquires_total", ""), 1.0)
                    .containsEntry(remote("connection_queries_total", ""), Double.NaN)
                    .containsEntry("dsql_reservoir_size{service=\"legacy_pg\"}", 1.0);
        }
        await().atMost(PATIENCE).until(() -> server.open() == 0);
    }

    @Test
    void metersComeAndGoWithTheirServers() throws SQLException {
        assertThat(scrape()).isEmpty();
        create("");
        assertThat(scrape())
                .containsKey(remote("pool_healthy", ""))
                .doesNotContainKey(remote("connection_queries_total", ""));
        servers.sql().execute("ALTER SERVER legacy_pg OPTIONS (SET collect_query_stats 'true')");
        assertThat(scrape()).containsEntry(remote("connection_queries_total", ""), 0.0);
        Supplier<PoolStatistics> late = servers.figures("legacy_pg");
        servers.sql().execute("DROP SERVER legacy_pg");
        assertThat(scrape()).isEmpty();
        assertThat(late.get().total()).isZero();
        create("");
        assertThat(scrape()).containsEntry(remote("pool_acquires_total", ""), 0.0);
        metrics.close();
        assertThat(scrape()).isEmpty();
    }
}
