package dev.comporta.jdbc.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.ComportaDataSource;
import dev.comporta.jdbc.stub.StubServer;
import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Connects per second of a fleet that shares them in DynamoDB, as the server counts them. */
class FleetConnectRateTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int INSTANCES = 3;
    private static final int EACH = 12;
    private static final int RATE = 20;
    private static final int BURST = 10;

    private final StubServer server = new StubServer();
    private final ConcurrentLinkedQueue<Long> connects = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Connection> held = new ConcurrentLinkedQueue<>();

    private static ComportaDataSource instance(int number, DynamoProcess dynamo) {
        ComportaDataSource pool = new ComportaDataSource();
        pool.setJdbcUrl("jdbc:stub:x");
        pool.setPoolName("orders");
        pool.setMaximumPoolSize(EACH);
        pool.setFleetLimit(INSTANCES * EACH);
        pool.setMinimumIdle(0);
        pool.setConnectRate(RATE);
        pool.setConnectBurst(BURST);
        pool.setConnectionTimeout(PATIENCE);
        pool.setLeases("dynamodb:fleet?region=" + DynamoProcess.REGION + "&endpoint=" + dynamo.uri());
        pool.setInstanceId("i" + number);
        pool.setLocalLimitDivisor(INSTANCES);
        return pool;
    }

    private void hold(ComportaDataSource pool) {
        try {
            held.add(pool.getConnection());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A connect may reach the server late, and so closer to those behind it, but none before it was permitted. */
    @Test
    void instancesThatStartAtOnceConnectNoFasterThanTheRateThatTheyShare() throws Exception {
        DriverManager.registerDriver(server);
        server.refusal = () -> {
            connects.add(System.nanoTime());
            return null;
        };
        List<ComportaDataSource> all = new ArrayList<>();
        try (DynamoProcess dynamo = new DynamoProcess()) {
            long begun = System.nanoTime();
            for (int i = 0; i < INSTANCES; i++) {
                ComportaDataSource pool = instance(i, dynamo);
                all.add(pool);
                for (int client = 0; client < EACH; client++) {
                    Thread.startVirtualThread(() -> hold(pool));
                }
            }
            await().atMost(PATIENCE).until(() -> held.size() == INSTANCES * EACH);
            List<Long> times = connects.stream().sorted().toList();
            assertThat(times).hasSize(INSTANCES * EACH);
            for (int i = 0; i < times.size(); i++) {
                assertThat(times.get(i) - begun)
                        .as("connect %d, in ns since the start", i)
                        .isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(i / RATE));
            }
            assertThat(times.getLast() - begun)
                    .as("%d connects, %d of them at once, at %d a second", times.size(), BURST, RATE)
                    .isGreaterThan(TimeUnit.SECONDS.toNanos(times.size() - BURST - 1) / RATE);
            for (Connection one : held) {
                one.close();
            }
            all.forEach(ComportaDataSource::close);
        } finally {
            all.forEach(ComportaDataSource::close);
            DriverManager.deregisterDriver(server);
        }
    }
}
