package dev.comporta.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Clients that work through HAProxy until they are told to stop; whoever loses its connection makes another. */
final class SteadyClients implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(120);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicIntegerArray done;
    private final Set<String> failures = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /** @param each clients of each bucket: more than its limit, so that they wait for each other */
    SteadyClients(Topology topology, int each) {
        int buckets = Topology.INSTANCES.size();
        done = new AtomicIntegerArray(each * buckets);
        for (int i = 0; i < done.length(); i++) {
            int client = i;
            threads.submit(() -> work(client, topology.url(1 + client % buckets)));
        }
    }

    private void work(int client, String url) {
        while (!over) {
            try (Connection connection = DriverManager.getConnection(url)) {
                while (!over) {
                    transact(connection);
                    done.incrementAndGet(client);
                }
            } catch (SQLException cutOff) {
                failures.add(cutOff.getMessage()); // its instance has died: the next connection goes to another
            }
        }
    }

    private static void transact(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("SELECT ? + 1")) {
            statement.execute("WAITFOR DELAY '00:00:00.050'");
            prepared.setInt(1, 1);
            prepared.execute();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** Returns when each of them has got on, from now on. */
    void awaitProgressOfAll() {
        List<Integer> before = new ArrayList<>();
        for (int i = 0; i < done.length(); i++) {
            before.add(done.get(i));
        }
        await().atMost(SOON).untilAsserted(() -> {
            for (int i = 0; i < done.length(); i++) {
                assertThat(done.get(i))
                        .as("client %d goes on, after %s", i, failures)
                        .isGreaterThan(before.get(i));
            }
        });
    }

    @Override
    public void close() {
        over = true;
        threads.close();
    }
}
