package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.control.Misbehaviour;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that has as many sessions as it takes. */
@Timeout(300)
class ServerFullTest {
    private static final int QUEUE_TIMEOUT = 50_004;
    private static final int ROOM = 2;
    private static final int CLIENTS = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static ProxyFixture fixture() throws Exception {
        return ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                settings -> settings.maxConnections(20).minIdle(0).queue(new QueueSettings(PATIENCE, 100)));
    }

    private static BucketSnapshot pool(ProxyFixture fixture) {
        return fixture.proxy.glance("one").pool();
    }

    private static long fulls(ProxyFixture fixture) {
        return pool(fixture).openFailures().get(OpenFailure.FULL);
    }

    /** Clients of which as many are in a transaction as the server has room for. */
    private List<Connection> clients(ProxyFixture fixture) throws SQLException {
        List<Connection> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(fixture.connect());
        }
        for (Connection busy : clients.subList(0, ROOM)) {
            busy.setAutoCommit(false);
            run(busy, "INSERT INTO notes VALUES (1)");
        }
        return clients;
    }

    private List<Future<String>> askAll(List<Connection> clients) {
        return clients.stream()
                .map(client -> threads.submit(() -> ask(client, "SELECT 7")))
                .toList();
    }

    @Test
    void clientsWaitAndAreServedWhenThereIsRoom() throws Exception {
        try (ProxyFixture fixture = fixture();
                ProxyFixture other = ProxyFixture.start(2);
                Connection elsewhere = other.connect();
                Connection first = fixture.connect()) {
            run(first, "CREATE TABLE notes (id INT)");
            List<Connection> clients = clients(fixture);
            fixture.server.misbehave(Misbehaviour.NONE.withMaxUserConnections(ROOM));
            long before = fixture.server.counters().failedLogins();
            List<Future<String>> answers = askAll(clients.subList(ROOM, CLIENTS));
            Future<Connection> login = threads.submit(() -> fixture.connect("databaseName=Other"));
            await().atMost(PATIENCE).until(() -> fulls(fixture) >= CLIENTS + 1);

            BucketSnapshot pool = pool(fixture);
            assertThat(answers).noneMatch(Future::isDone);
            assertThat(login.isDone()).isFalse();
            assertThat(pool.health().state()).isEqualTo(HealthState.UP);
            assertThat(pool.health().downs()).isZero();
            assertThat(pool.room().full()).isTrue();
            assertThat(pool.room().reason()).contains("17809");
            assertThat(pool.slots().held())
                    .as("no slot is kept for what can't be opened")
                    .isLessThanOrEqualTo(ROOM + 1);
            assertThat(ask(elsewhere, "SELECT 8")).isEqualTo("8");
            assertThat(ask(clients.getFirst(), "SELECT 9"))
                    .as("who has a connection goes on")
                    .isEqualTo("9");
            // One for each who waits at first; then one at a time, after pauses that double.
            assertThat(fixture.server.counters().failedLogins() - before).isLessThanOrEqualTo(CLIENTS + 8L);

            fixture.server.misbehave(Misbehaviour.NONE);
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("7");
            }
            login.get().close();
            assertThat(pool(fixture).room().full()).isFalse();
            assertThat(pool(fixture).refusals()).isZero();
        }
    }

    @Test
    void releasedConnectionServesThoseWhoWait() throws Exception {
        try (ProxyFixture fixture = fixture();
                Connection first = fixture.connect()) {
            run(first, "CREATE TABLE notes (id INT)");
            List<Connection> clients = clients(fixture);
            fixture.server.misbehave(Misbehaviour.NONE.withMaxUserConnections(ROOM));
            List<Future<String>> answers = askAll(clients.subList(ROOM, CLIENTS));
            await().atMost(PATIENCE).until(() -> fulls(fixture) >= 1);
            assertThat(answers).noneMatch(Future::isDone);
            clients.getFirst().rollback();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("7");
            }
        }
    }

    /** Babelfish says by the same number that it is full, starting, recovering or shutting down. */
    @Test
    void clientsWaitForABabelfishThatCanNotBeUsedNow() throws Exception {
        try (ProxyFixture fixture = fixture();
                Connection first = fixture.connect()) {
            run(first, "CREATE TABLE notes (id INT)");
            List<Connection> clients = clients(fixture);
            fixture.server.misbehave(
                    Misbehaviour.NONE.withMaxUserConnections(ROOM).withFullError(33557097));
            List<Future<String>> answers = askAll(clients.subList(ROOM, CLIENTS));
            await().atMost(PATIENCE).until(() -> pool(fixture).openFailures().get(OpenFailure.NOT_READY) >= 2);
            assertThat(answers).noneMatch(Future::isDone);
            assertThat(pool(fixture).health().downs()).isZero();
            clients.getFirst().rollback();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("7");
            }
        }
    }

    @Test
    void whoWaitsTooLongIsToldThatTheServerIsFull() throws Exception {
        try (ProxyFixture fixture = fixture();
                Connection first = fixture.connect()) {
            run(first, "CREATE TABLE notes (id INT)");
            List<Connection> clients = clients(fixture);
            fixture.server.misbehave(Misbehaviour.NONE.withMaxUserConnections(ROOM));
            Future<String> waits = askAll(List.of(clients.getLast())).getFirst();
            await().atMost(PATIENCE).until(() -> fulls(fixture) >= 1);
            fixture.patience(Duration.ofSeconds(1));
            assertThatThrownBy(waits::get)
                    .cause()
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("is full since")
                    .hasMessageContaining("17809")
                    .satisfies(
                            e -> assertThat(((SQLException) e).getErrorCode()).isEqualTo(QUEUE_TIMEOUT));
            assertThatThrownBy(() -> fixture.connect("databaseName=Other"))
                    .as("at login")
                    .hasMessageContaining("is full since");
        }
    }
}
