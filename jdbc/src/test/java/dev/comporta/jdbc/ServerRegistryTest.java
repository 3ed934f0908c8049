package dev.comporta.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.comporta.jdbc.session.Credentials;
import dev.comporta.jdbc.stats.ServerStatistics;
import dev.comporta.jdbc.stub.StubServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerRegistryTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final StubServer server = new StubServer();
    private final ServerRegistry registry = new ServerRegistry();

    @BeforeEach
    void registerDriver() throws SQLException {
        DriverManager.registerDriver(server);
    }

    @AfterEach
    void deregisterDriver() throws SQLException {
        registry.close();
        DriverManager.deregisterDriver(server);
        assertThat(server.open()).isZero();
    }

    private static ServerDefinition definition(String name, String... options) {
        Map<String, String> all = new HashMap<>(Map.of(
                "jdbcUrl", "jdbc:stub:" + name, "minIdle", "0", "warmupOnCreate", "false", "shutdownTimeout", "100ms"));
        for (int i = 0; i < options.length; i += 2) {
            all.put(options[i], options[i + 1]);
        }
        return new ServerDefinition(name, all);
    }

    @Test
    void usersOfAServerHavePoolsOfTheirOwnAndShareItsLimit() throws SQLException {
        registry.register(definition("orders", "maxConnections", "2"));
        registry.mapUser("orders", "ana", Credentials.of("remote_ana", "a"));
        registry.mapUser("orders", "*", Credentials.of("remote_all", "b"));
        try (Connection ana = registry.acquire("orders", "ana", PATIENCE);
                Connection rui = registry.acquire("orders", "rui", PATIENCE)) {
            assertThat(ana).isNotSameAs(rui);
            assertThatThrownBy(() -> registry.acquire("orders", "ana", Duration.ofMillis(5)))
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("2 of 2 connections in use");
        }
        assertThat(server.logins())
                .extracting(p -> p.getProperty("user"))
                .containsExactlyInAnyOrder("remote_ana", "remote_all");
        ServerStatistics now = registry.statistics("orders");
        assertThat(now.users()).extracting(ServerStatistics.UserPool::localUser).contains("ana", "rui");
        assertThat(now.acquires()).isEqualTo(2);
        assertThat(now.timeouts()).isEqualTo(1);
        assertThat(registry.statistics().healthyServers()).isEqualTo(1);
    }

    @Test
    void aUserWithoutMappingIsToldWhatToDo() {
        registry.register(definition("orders"));
        assertThatThrownBy(() -> registry.acquire("orders", "ana", PATIENCE))
                .hasMessageContaining("no mapping for local user \"ana\": map it");
        assertThatThrownBy(() -> registry.acquire("order", "ana", PATIENCE))
                .hasMessageContaining("there is no server order: register it (registered: orders)");
    }

    @Test
    void anotherMappingReplacesTheUsersConnections() throws SQLException {
        registry.register(definition("orders"));
        registry.mapUser("orders", "ana", Credentials.of("old", "a"));
        registry.acquire("orders", "ana", PATIENCE).close();
        registry.mapUser("orders", "ana", Credentials.of("new", "a"));
        registry.acquire("orders", "ana", PATIENCE).close();
        assertThat(server.logins()).extracting(p -> p.getProperty("user")).containsExactly("old", "new");
        await().atMost(PATIENCE).until(() -> server.open() == 1);
    }

    @Test
    void whoAsksWhileTheMappingChangesGetsAConnectionOfTheLoginThatHoldsThen() throws Exception {
        registry.register(definition("orders"));
        registry.mapUser("orders", "ana", Credentials.of("login-0", "a"));
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger held = new AtomicInteger();
        Set<Integer> got = ConcurrentHashMap.newKeySet();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread client = Thread.ofPlatform().start(() -> {
            try {
                while (!over.get()) {
                    int heldBefore = held.get();
                    try (Connection connection = registry.acquire("orders", "ana", PATIENCE)) {
                        String user = StubServer.state(connection).user();
                        int login = Integer.parseInt(user.substring("login-".length()));
                        assertThat(login).isBetween(heldBefore, begun.get());
                        got.add(login);
                    }
                }
            } catch (SQLException | RuntimeException | AssertionError e) {
                failure.set(e);
            }
        });
        for (int i = 1; i <= 200; i++) {
            if (i % 10 == 1) { // however slow the client is, it meets many of the changes
                int holds = i - 1;
                await().atMost(PATIENCE).until(() -> got.contains(holds) || failure.get() != null);
            }
            begun.set(i);
            registry.mapUser("orders", "ana", Credentials.of("login-" + i, "a"));
            held.set(i);
        }
        over.set(true);
        assertThat(client.join(PATIENCE)).isTrue();
        assertThat(failure.get()).isNull();
        registry.acquire("orders", "ana", PATIENCE).close();
        assertThat(server.logins().getLast().getProperty("user")).isEqualTo("login-200");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(registry.statistics("orders").users()).hasSize(1);
            assertThat(server.open()).isEqualTo(1);
        });
    }

    @Test
    void serversComeChangeAndGoWhileItRuns() throws SQLException {
        registry.register(definition("orders", "username", "app"));
        assertThatThrownBy(() -> registry.register(definition("orders"))).hasMessageContaining("update it");
        Connection first = registry.acquire("orders", "", PATIENCE);
        registry.update(definition("orders", "username", "app", "maxConnections", "1"));
        assertThatThrownBy(() -> registry.acquire("orders", "", Duration.ofMillis(5)))
                .hasMessageContaining("1 of 1");
        registry.resize("orders", 2);
        registry.acquire("orders", "", PATIENCE).close();
        registry.update(definition("orders", "username", "other"));
        registry.acquire("orders", "", PATIENCE).close();
        assertThat(server.logins().getLast().getProperty("user")).isEqualTo("other");
        first.close();
        registry.unregister("orders");
        assertThat(server.open()).isZero();
        assertThatThrownBy(() -> registry.acquire("orders", "", PATIENCE)).hasMessageContaining("no server orders");
        assertThatThrownBy(() -> registry.unregister("orders")).hasMessageContaining("no server orders");
    }

    @Test
    void aMistakeInADefinitionChangesNothing() throws SQLException {
        assertThatThrownBy(() -> definition("orders", "maxConections", "3"))
                .hasMessageContaining("server orders: there is no setting maxConections: did you mean maxConnections?");
        registry.register(definition("orders", "username", "app"));
        registry.acquire("orders", "", PATIENCE).close();
        assertThatThrownBy(() -> registry.update(definition("orders", "username", "other", "maxConnections", "0")))
                .hasMessageContaining("maximumPoolSize is \"0\"");
        registry.acquire("orders", "", PATIENCE).close();
        assertThat(server.connects()).as("its connection was not replaced").isEqualTo(1);
        assertThat(registry.servers()).containsExactly("orders");
        assertThat(registry.statistics("orders").max()).isEqualTo(10);
    }

    @Test
    void warmUpEvictAndCloseAll() throws SQLException {
        registry.register(definition("orders", "username", "app"));
        assertThat(registry.warmUp("orders", "", 3, PATIENCE)).isEqualTo(3);
        assertThat(server.open()).isEqualTo(3);
        registry.evict("orders");
        await().atMost(PATIENCE).until(() -> server.open() == 0);
        Connection kept = registry.acquire("orders", "", PATIENCE);
        registry.closeAll("orders");
        await().atMost(PATIENCE).until(() -> server.open() == 0);
        kept.close();
        assertThat(registry.isHealthy("orders")).isTrue();
    }

    @Test
    void overflowOpensABoundedNumberBeyondTheLimit() throws SQLException {
        registry.register(definition(
                "orders",
                "username",
                "app",
                "maxConnections",
                "1",
                "exhaustionPolicy",
                "overflow",
                "overflowConnections",
                "1"));
        try (Connection first = registry.acquire("orders", "", PATIENCE);
                Connection beyond = registry.acquire("orders", "", PATIENCE)) {
            assertThat(first).isNotSameAs(beyond);
            assertThat(server.open()).isEqualTo(2);
            assertThatThrownBy(() -> registry.acquire("orders", "", Duration.ofMillis(5)))
                    .isInstanceOf(SQLTransientConnectionException.class);
        }
        await().atMost(PATIENCE).until(() -> server.open() == 1);
    }

    @Test
    void theDriverLendsFromTheSharedRegistryAndHikariRunsOnTopOfIt() throws SQLException {
        ServerRegistry shared = ServerRegistry.shared();
        shared.register(definition("driver-test", "username", "app", "maxConnections", "3"));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:comporta:driver-test");
        config.setMaximumPoolSize(3);
        try (HikariDataSource hikari = new HikariDataSource(config)) {
            try (Connection connection = hikari.getConnection()) {
                assertThat(connection.isWrapperFor(StubServer.Stub.class)).isTrue();
            }
            await().atMost(PATIENCE)
                    .until(() -> shared.statistics("driver-test").active() == 3);
            Properties impatient = new Properties();
            impatient.setProperty("loginTimeout", "0");
            assertThatThrownBy(() -> DriverManager.getConnection("jdbc:comporta:driver-test", impatient))
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("3 of 3 connections in use");
            assertThatThrownBy(() -> DriverManager.getConnection("jdbc:comporta:nowhere"))
                    .hasMessageContaining("there is no server nowhere");
        }
        await().atMost(PATIENCE).until(() -> shared.statistics("driver-test").active() == 0);
        shared.unregister("driver-test");
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void aFileRegistersServersForApplicationsThatOnlyKnowJdbc(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("servers.properties"), """
                orders.jdbcUrl = jdbc:stub:orders
                orders.maximumPoolSize = 4
                orders.user.ana.username = remote_ana
                orders.user.ana.password = secret
                """);
        // As the registry of the process is made, which the driver lends from.
        System.setProperty(ServerFile.PROPERTY, file.toString());
        try (ServerRegistry ofTheProcess = ServerFile.registry()) {
            assertThat(ofTheProcess.servers()).containsExactly("orders");
            ofTheProcess.acquire("orders", "ana", PATIENCE).close();
            assertThat(ofTheProcess.statistics("orders").max()).isEqualTo(4);
        } finally {
            System.clearProperty(ServerFile.PROPERTY);
        }
        assertThat(server.logins())
                .isNotEmpty()
                .allSatisfy(login ->
                        assertThat(login).containsEntry("user", "remote_ana").containsEntry("password", "secret"));
    }

    /** Also of a server whose lines are right and come first. */
    @ParameterizedTest
    @CsvSource({
        "jdbcUrl = jdbc:stub:orders, write SERVER.jdbcUrl",
        "parts.maxConections = 3, did you mean maxConnections",
        "parts.maxConnections = 0, maximumPoolSize is \"0\"",
        "parts.user.ana.name = remote_ana, write user.LOCAL.username",
        "parts.user.username = remote, write user.LOCAL.username",
        "parts.user.ana.password = secret, parts.user.ana.username is missing",
        "others.user.ana.username = remote_ana, others"
    })
    void aFileWithAMistakeRegistersNothing(String mistake, String message, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("servers.properties"),
                "orders.jdbcUrl = jdbc:stub:orders\nparts.jdbcUrl = jdbc:stub:parts\n" + mistake);
        assertThatThrownBy(() -> ServerFile.load(file, registry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThat(registry.servers()).isEmpty();
    }

    @Test
    void withoutATimeoutAClientWaitsForAsLongAsItTakes() throws Exception {
        registry.register(definition("orders", "username", "app", "maxConnections", "1", "connectionTimeout", "0"));
        for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)}) {
            CompletableFuture<Void> served = new CompletableFuture<>();
            try (Connection only = registry.acquire("orders", "", PATIENCE)) {
                Thread.startVirtualThread(() -> {
                    try {
                        (timeout.isZero() ? registry.acquire("orders", "") : registry.acquire("orders", "", timeout))
                                .close();
                        served.complete(null);
                    } catch (Throwable e) {
                        served.completeExceptionally(e);
                    }
                });
                await().atMost(PATIENCE)
                        .until(() -> served.isDone()
                                || registry.poolStatistics("orders").waiting() == 1);
                assertThat(only.isClosed()).isFalse();
            }
            served.get(2, TimeUnit.MINUTES);
        }
    }
}
