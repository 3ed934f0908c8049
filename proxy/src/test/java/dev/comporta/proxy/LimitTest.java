package dev.comporta.proxy;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.proxy.loop.BucketSpec;
import dev.comporta.standin.control.SessionRecord;
import dev.comporta.testkit.RawClient;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit as the server counts it, and the order in which it is served. */
@Timeout(120)
class LimitTest {
    private static final long SEED = 41;

    @Test
    void limitHoldsWhileClientsComeAndGoAndTheServerKillsSessions() throws Exception {
        int limit = 4;
        try (ProxyFixture fixture = start(limit);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                Random random = new Random(SEED + i);
                clients.add(threads.submit(() -> comeAndGoAndKill(fixture, random)));
            }
            int served = 0;
            for (Future<Integer> client : clients) {
                served += client.get();
            }

            assertThat(served).as("requests that were served").isPositive();
            assertThat(fixture.server.counters().mostSessions())
                    .as("sessions at the server, at most")
                    .isLessThanOrEqualTo(limit);
            assertThat(fixture.server.counters().logins())
                    .as("connections were lost and opened again")
                    .isGreaterThan(limit);
            await().untilAsserted(() ->
                    assertThat(fixture.proxy.glance("one").clients()).isZero());
            assertThat(fixture.proxy.glance("one").pool().active()).isZero();
            assertThat(fixture.proxy.glance("one").pool().waiting()).isZero();
            try (Connection connection = fixture.connect()) {
                assertThat(ask(connection, "SELECT 1")).isEqualTo("1");
            }
        }
    }

    private static int comeAndGoAndKill(ProxyFixture fixture, Random random) {
        int served = 0;
        for (int life = 0; life < 12; life++) {
            try (Connection connection = random.nextBoolean() ? fixture.connect() : fixture.connectJtds()) {
                for (int request = random.nextInt(4); request >= 0; request--) {
                    ask(connection, "WAITFOR DELAY '00:00:00.00" + random.nextInt(10) + "'; SELECT 1");
                    served++;
                }
                switch (random.nextInt(4)) {
                    case 0 -> run(connection, "BEGIN TRANSACTION");
                    case 1 -> killAny(fixture, random);
                    default -> {}
                }
            } catch (SQLException e) {
                // Another's kill met this one: it comes again.
            }
        }
        return served;
    }

    private static void killAny(ProxyFixture fixture, Random random) {
        List<SessionRecord> open = fixture.server.sessions();
        if (!open.isEmpty()) {
            fixture.server.kill(open.get(random.nextInt(open.size())).spid());
        }
    }

    @Test
    void aStormOfLoginsCostsTheServerNoMoreOfThemThanItHasConnections() throws Exception {
        int limit = 4;
        // Sockets are cheap, their clients' buffers here are not.
        Semaphore atOnce = new Semaphore(400);
        try (ProxyFixture fixture = start(limit);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                clients.add(threads.submit(() -> logInAndAsk(fixture, atOnce)));
            }
            for (Future<?> client : clients) {
                client.get();
            }
            assertThat(fixture.server.counters().logins()).isLessThanOrEqualTo(limit);
        }
    }

    private static Void logInAndAsk(ProxyFixture fixture, Semaphore atOnce) throws Exception {
        atOnce.acquire();
        try (RawClient client = RawClient.loggedIn(fixture.proxy.port())) {
            client.sendBatch("SELECT 1");
            client.response();
        } finally {
            atOnce.release();
        }
        return null;
    }

    @Test
    void theQueueIsServedInTheOrderOfItsArrival() throws Exception {
        int waiters = 60;
        try (ProxyFixture fixture = start(1);
                Connection holder = fixture.connect()) {
            run(holder, "CREATE TABLE served (place INT IDENTITY PRIMARY KEY, client INT)");
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                clients.add(RawClient.loggedIn(fixture.proxy.port()));
            }
            run(holder, "BEGIN TRANSACTION");
            for (int i = 0; i < waiters; i++) {
                clients.get(i).sendBatch("INSERT INTO served (client) VALUES (" + i + ")");
                int arrived = i + 1;
                await().until(() -> fixture.proxy.glance("one").pool().waiting() == arrived);
            }
            run(holder, "COMMIT");
            for (RawClient client : clients) {
                client.response();
                client.close();
            }
            assertThat(clientsAsServed(holder))
                    .containsExactlyElementsOf(
                            IntStream.range(0, waiters).boxed().toList());
            assertThat(fixture.server.counters().mostSessions()).isEqualTo(1);
        }
    }

    private static List<Integer> clientsAsServed(Connection connection) throws SQLException {
        List<Integer> order = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT client FROM served ORDER BY place")) {
            while (rows.next()) {
                order.add(rows.getInt(1));
            }
        }
        return order;
    }

    private static ProxyFixture start(int limit) throws Exception {
        return ProxyFixture.start(
                BucketSpec.PoolMode.TRANSACTION,
                settings -> settings.maxConnections(limit)
                        .minIdle(0)
                        .queue(new QueueSettings(Duration.ofSeconds(60), 1000)));
    }
}
