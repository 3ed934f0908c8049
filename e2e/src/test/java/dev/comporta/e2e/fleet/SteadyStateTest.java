package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While there are connections enough, Redis hears that the instances live, and nothing of what they do. */
@Timeout(120)
class SteadyStateTest {
    private static final int REQUESTS = 5_000;

    /** Fewer than each instance's share, so that every request finds a connection ready. */
    private static final int CLIENTS_EACH = 3;

    @TempDir
    private Path directory;

    @Test
    void aRequestCostsRedisNothing() throws Exception {
        try (FleetOfProcesses fleet = new FleetOfProcesses(directory)) {
            List<ProxyProcess> instances = fleet.start("a", "b", "c");
            AllSlots.take(instances, Duration.ofSeconds(20)).close();
            long requestsBefore = fleet.database.counters().requests();
            long callsBefore = fleet.callsToRedis();
            long begun = System.nanoTime();

            askThrough(instances);

            long calls = fleet.callsToRedis() - callsBefore;
            long requests = fleet.database.counters().requests() - requestsBefore;
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            long heartbeats = instances.size() * (1 + took.dividedBy(FleetOfProcesses.HEARTBEAT));
            System.out.printf(
                    "%d requests in %d ms: %d calls to Redis, %d heartbeats due%n",
                    requests, took.toMillis(), calls, heartbeats);
            assertThat(requests).isGreaterThanOrEqualTo(REQUESTS);
            assertThat(calls).isLessThanOrEqualTo(heartbeats);
        }
    }

    private static void askThrough(List<ProxyProcess> instances) throws Exception {
        int clients = CLIENTS_EACH * instances.size();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                ProxyProcess instance = instances.get(i % instances.size());
                ends.add(threads.submit(() -> ask(instance, REQUESTS / clients + 1)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static Void ask(ProxyProcess instance, int times) throws SQLException {
        try (Connection connection = instance.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < times; i++) {
                try (ResultSet rows = statement.executeQuery("SELECT " + i)) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getInt(1)).isEqualTo(i);
                }
            }
        }
        return null;
    }
}
