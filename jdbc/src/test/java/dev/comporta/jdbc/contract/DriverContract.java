package dev.comporta.jdbc.contract;

import static dev.comporta.jdbc.db.TestDatabase.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.comporta.jdbc.ServerDefinition;
import dev.comporta.jdbc.ServerRegistry;
import dev.comporta.jdbc.db.TestDatabase;
import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.pool.state.CloseReason;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code jdbc:comporta:SERVER} gives to whoever opens connections by it, as the database sees it. */
abstract class DriverContract<D extends TestDatabase> extends NetworkTimeoutContract<D> {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    final ServerRegistry registry = ServerRegistry.shared();
    final String server = getClass().getSimpleName();

    DriverContract(D database) {
        super(database);
    }

    /** MariaDB closes a connection just before it counts down. */
    @BeforeEach
    void awaitEndOfEarlierSessions() {
        await().atMost(PATIENCE).until(() -> database.sessions() == 0);
    }

    @AfterEach
    void unregister() {
        if (registry.servers().contains(server)) {
            registry.unregister(server);
        }
    }

    final void register(int max, int ready, String... options) {
        registry.register(definition(max, ready, options));
    }

    final ServerDefinition definition(int max, int ready, String... options) {
        Map<String, String> all = new HashMap<>(Map.of(
                "jdbcUrl", database.url(),
                "username", database.user(),
                "password", database.password(),
                "maxConnections", Integer.toString(max),
                "minIdle", "0",
                "targetReady", Integer.toString(ready),
                "lowWatermark", Integer.toString(ready),
                "connectionTimeout", PATIENCE.toMillis() + "ms"));
        for (int i = 0; i < options.length; i += 2) {
            all.put(options[i], options[i + 1]);
        }
        return new ServerDefinition(server, all);
    }

    final String url() {
        return "jdbc:comporta:" + server;
    }

    final Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    final PoolStatistics now() {
        return registry.poolStatistics(server);
    }

    private void awaitReady(int ready, int sessions) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(now().idle()).as("ready").isEqualTo(ready);
            assertThat(database.sessions()).as("sessions at the server").isEqualTo(sessions);
        });
    }

    private TreeSet<String> identities(List<Connection> connections) throws SQLException {
        TreeSet<String> identities = new TreeSet<>();
        for (Connection connection : connections) {
            identities.add(ask(connection, database.sessionId()));
        }
        return identities;
    }

    private List<Connection> connect(int connections) throws SQLException {
        List<Connection> opened = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            opened.add(connect());
        }
        return opened;
    }

    private static void close(List<Connection> connections) throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
    }

    @Test
    void readyConnectionsComeOutAtOnceAndTheReservoirRefillsBehindThem() throws SQLException {
        register(3, 3);
        assertThat(registry.warmUp(server, "", 3, PATIENCE)).isEqualTo(3);
        awaitReady(3, 3);
        List<Connection> first = connect(3); // the limit leaves no room for an opening
        assertThat(now().opened()).isEqualTo(3);
        assertThat(now().foundNothingReady()).isZero();
        assertThat(identities(first)).hasSize(3);
        assertThat(database.sessions()).isEqualTo(3);
        registry.resize(server, 6);
        awaitReady(3, 6); // nobody has asked
        List<Connection> second = connect(3);
        assertThat(now().foundNothingReady()).isZero();
        assertThat(now().opened()).isEqualTo(6);
        TreeSet<String> all = identities(first);
        all.addAll(identities(second));
        assertThat(all).hasSize(6);
        close(first);
        close(second);
        await().atMost(PATIENCE).until(() -> now().active() == 0);
        try (Connection again = connect()) {
            assertThat(all).contains(ask(again, database.sessionId()));
        }
        assertThat(now().opened()).isEqualTo(6);
    }

    @Test
    void theDriversOwnInterfacesAreReachable() throws SQLException {
        register(1, 0);
        Class<?> own = database.driversOwn();
        try (Connection connection = connect()) {
            assertThat(connection).isNotInstanceOf(own);
            assertThat(connection.isWrapperFor(own)).isTrue();
            Object unwrapped = connection.unwrap(own);
            assertThat(unwrapped).isInstanceOf(own);
            assertThat(ask((Connection) unwrapped, database.sessionId()))
                    .isEqualTo(ask(connection, database.sessionId()));
        }
    }

    @Test
    void aKilledConnectionIsDiscardedAndReplaced() throws SQLException {
        register(2, 2);
        awaitReadyAfterFirst();
        String killed;
        try (Connection connection = connect()) {
            killed = ask(connection, database.sessionId());
            database.kill(killed);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(() -> ask(connection, database.sessionId()))
                            .isInstanceOf(SQLException.class));
            assertThat(connection.isValid(5)).isFalse();
        }
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(now().closed().get(CloseReason.LOST)).isEqualTo(1));
        awaitReady(2, 2);
        List<Connection> both = connect(2);
        assertThat(identities(both)).hasSize(2).doesNotContain(killed);
        assertThat(now().opened()).isEqualTo(3);
        close(both);
    }

    /** A pool of the registry begins with its first user. */
    private void awaitReadyAfterFirst() throws SQLException {
        connect().close();
        awaitReady(2, 2);
    }

    @Test
    void whoFindsTheReservoirEmptyWaitsForTheNextThatComesBack() throws Exception {
        register(1, 1);
        CompletableFuture<String> served = new CompletableFuture<>();
        String session;
        try (Connection only = connect()) {
            Thread.startVirtualThread(() -> {
                try (Connection waited = connect()) {
                    served.complete(ask(waited, database.sessionId()));
                } catch (Throwable e) {
                    served.completeExceptionally(e);
                }
            });
            await().atMost(PATIENCE).until(() -> now().waiting() == 1);
            assertThat(served).isNotDone();
            session = ask(only, database.sessionId());
        }
        assertThat(served.get(2, TimeUnit.MINUTES)).isEqualTo(session);
    }

    @Test
    void theWaitForAnEmptyReservoirHasADeadline() throws SQLException {
        register(1, 1, "connectionTimeout", "100ms");
        registry.warmUp(server, "", 1, PATIENCE);
        try (Connection only = connect()) {
            long since = System.nanoTime();
            assertThatThrownBy(this::connect)
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("1 of 1 connections in use");
            assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
            assertThat(now().timeouts()).isEqualTo(1);
            assertThat(database.sessions()).isEqualTo(1);
            assertThat(only.isValid(5)).isTrue();
        }
    }

    @Test
    void hikariOnTopOfItTakesReadyConnectionsAndGivesThemBack() throws SQLException {
        register(4, 2);
        registry.warmUp(server, "", 2, PATIENCE);
        awaitReady(2, 2);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url());
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(PATIENCE.toMillis());
        try (HikariDataSource hikari = new HikariDataSource(config)) {
            try (Connection one = hikari.getConnection();
                    Connection other = hikari.getConnection()) {
                assertThat(identities(List.of(one, other))).hasSize(2);
                assertThat(one.unwrap(database.driversOwn())).isInstanceOf(database.driversOwn());
                assertThat(now().active()).isEqualTo(2);
            }
            awaitReady(2, 4); // refilled behind it
            assertThat(now().foundNothingReady()).isZero();
        }
        await().atMost(PATIENCE).until(() -> now().active() == 0);
        assertThat(now().opened()).as("Hikari's close closes none").isEqualTo(4);
        assertThat(now().closed().get(CloseReason.LOST)).isZero();
    }
}
