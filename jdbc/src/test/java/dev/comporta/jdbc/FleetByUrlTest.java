package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.pool.lease.LeaseSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A limit that pools share because a property says so. */
class FleetByUrlTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static RedisProcess redis;

    private final StubServer server = new StubServer();
    private final List<ComportaDataSource> pools = new ArrayList<>();

    @BeforeAll
    static void startRedis() throws IOException {
        redis = new RedisProcess();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @BeforeEach
    void register() throws SQLException {
        DriverManager.registerDriver(server);
    }

    @AfterEach
    void close() throws SQLException {
        pools.forEach(ComportaDataSource::close);
        DriverManager.deregisterDriver(server);
        await("the next test counts connections to the store").atMost(PATIENCE).until(() -> clientsOfRedis() == 0);
    }

    private static String url() {
        return "redis://127.0.0.1:" + redis.port();
    }

    private ComportaDataSource pool(String name, int max) {
        ComportaDataSource pool = new ComportaDataSource();
        pool.setJdbcUrl("jdbc:stub:" + name);
        pool.setUsername("app");
        pool.setPoolName(name);
        pool.setMaximumPoolSize(max);
        pool.setMinimumIdle(0);
        pool.setConnectionTimeout(PATIENCE);
        pool.setShutdownTimeout(Duration.ofSeconds(10));
        pool.setLeases(url());
        pool.setLocalLimitDivisor(1);
        pools.add(pool);
        return pool;
    }

    private static long clientsOfRedis() {
        return redis.ask("CLIENT LIST")
                        .lines()
                        .filter(line -> line.contains("id="))
                        .count()
                - 1; // who asks
    }

    @Test
    void poolsOfAProcessShareTheLimitOfTheirNameAndTheConnectionToTheStore() throws Exception {
        ComportaDataSource one = pool("orders", 3);
        ComportaDataSource other = pool("stock", 2);
        one.getConnection().close();
        long clients = clientsOfRedis();
        assertThat(clients).isPositive();
        other.getConnection().close();
        assertThat(clientsOfRedis()).isEqualTo(clients);
        ComportaDataSource twin = pool("orders", 3); // another login of the same database, say
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ComportaDataSource pool = i % 2 == 0 ? one : twin;
            threads.add(Thread.startVirtualThread(() -> use(pool)));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(PATIENCE)).isTrue();
        }
        assertThat(one.statistics().acquires() + twin.statistics().acquires()).isEqualTo(61);
        assertThat(server.mostOpen()).isBetween(1, 4); // three of the orders, one of the stock
        pools.forEach(ComportaDataSource::close);
        await("the last pool ends it").atMost(PATIENCE).until(() -> clientsOfRedis() == 0);
    }

    private static void use(ComportaDataSource pool) {
        try (Connection connection = pool.getConnection()) {
            StubServer.execute(connection, "SELECT 1");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aFleetsLimitMayBeLargerThanThatOfItsPools() throws Exception {
        ComportaDataSource one = pool("cluster", 2);
        one.setFleetLimit(3);
        ComportaDataSource other = pool("cluster", 2);
        other.setFleetLimit(3);
        try (Connection _ = one.getConnection();
                Connection _ = one.getConnection();
                Connection _ = other.getConnection()) {
            one.setConnectionTimeout(Duration.ofMillis(20));
            assertThatThrownBy(one::getConnection).hasMessageContaining("2 of 2 connections in use");
            other.setConnectionTimeout(Duration.ofMillis(20));
            assertThatThrownBy(other::getConnection).isInstanceOf(SQLException.class);
            assertThat(server.open()).isEqualTo(3);
            assertThat(one.statistics().max()).isEqualTo(2);
        }
    }

    @Test
    void theReservoirKeepsToTheLimitOfItsPoolToo() throws Exception {
        ComportaDataSource pool = pool("reservoir", 3);
        pool.setFleetLimit(10);
        pool.setTargetReady(3);
        pool.setLowWatermark(3);
        try (Connection _ = pool.getConnection();
                Connection _ = pool.getConnection()) {
            await("it fills up").atMost(PATIENCE).until(() -> server.open() == 3);
            try (Connection _ = pool.getConnection()) {
                assertThat(pool.statistics().active()).isEqualTo(3);
            }
        }
        await("all are ready").atMost(PATIENCE).until(() -> pool.statistics().idle() == 3);
        assertThat(server.mostOpen()).isEqualTo(3);
        assertThat(server.connects()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "leases|redis:cache|leases is \"redis:cache\": write redis://HOST:6379",
                "leases|redis://ana:secret@cache?mod=x|leases is \"redis://ana:***@cache?mod=x\": there is no option 'mod'",
                "leases|etcd://cache|leases is \"etcd://cache\": there is no store 'etcd'",
                "heartbeatTtl|20s|heartbeatTtl is \"20s\": set more than twice heartbeatInterval, which is 10000 ms",
                "heartbeatInterval|0|heartbeatInterval is \"0\": set a duration",
                "localLimitDivisor|0|localLimitDivisor is \"0\": set at least the number of instances",
                "fallback|maybe|fallback is \"maybe\": set true or false",
                "fleetLimit|1|fleetLimit is \"1\": set at least maximumPoolSize, which is 3",
                "poolName||poolName is not set: with leases, the pools of one name share a limit"
            })
    void aMistakeNamesTheSettingAndStartsNothing(String name, String value, String error) {
        ComportaDataSource pool = pool("orders", 3);
        pool.setProperty(name, value == null ? "" : value);
        assertThatThrownBy(pool::getConnection)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(error);
        assertThatThrownBy(pool::validate).hasMessageStartingWith(error);
        assertThat(server.connects()).isZero();
        assertThat(clientsOfRedis()).isZero();
    }

    @Test
    void whatHasNoEffectIsAMistakeToo() {
        ComportaDataSource alone = pool("orders", 3);
        alone.setLeases("local");
        alone.setFleetLimit(10);
        assertThatThrownBy(alone::getConnection).hasMessageContaining("set leases or leave it out");
        ComportaDataSource both = pool("orders", 3);
        both.setLeaseSource((_, bucket) -> LeaseSource.LOCAL.leasesOf("x", bucket));
        assertThatThrownBy(both::getConnection).hasMessageContaining("there is a leaseSource too");
    }

    @Test
    void aServersFileNamesTheStoreAndAServerCantChangeItWhileItRuns(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("servers.properties"), """
                orders.jdbcUrl = jdbc:stub:orders
                orders.username = app
                orders.minIdle = 0
                orders.maximumPoolSize = 1
                orders.leases = %s
                orders.localLimitDivisor = 1
                """.formatted(url()));
        ComportaDataSource elsewhere = pool("orders", 1);
        try (ServerRegistry registry = new ServerRegistry()) {
            ServerFile.load(file, registry);
            try (Connection _ = elsewhere.getConnection()) {
                assertThatThrownBy(() -> registry.acquire("orders", "", Duration.ofMillis(50)))
                        .isInstanceOf(SQLException.class);
            }
            registry.acquire("orders", "", PATIENCE).close();
            assertThatThrownBy(() -> registry.update(
                            new ServerDefinition("orders", Map.of("jdbcUrl", "jdbc:stub:orders", "leases", "local"))))
                    .hasMessageContaining("unregister it first");
        }
        assertThat(server.mostOpen()).isEqualTo(1);
    }
}
