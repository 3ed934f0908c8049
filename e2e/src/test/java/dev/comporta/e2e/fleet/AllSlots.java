package dev.comporta.e2e.fleet;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** As many transactions, open at the same time, as the limit allows: who has them has shown that no slot is missing. */
final class AllSlots implements AutoCloseable {
    private final List<Connection> connections = new ArrayList<>();

    private AllSlots() {}

    /** Takes them all, the same number through each of these instances, while the load goes on. */
    static AllSlots take(List<ProxyProcess> through, Duration atMost) throws Exception {
        AllSlots slots = new AllSlots();
        long deadline = System.nanoTime() + atMost.toNanos();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Connection>> begun = new ArrayList<>();
            for (int i = 0; i < FleetOfProcesses.LIMIT; i++) {
                ProxyProcess instance = through.get(i % through.size());
                begun.add(threads.submit(() -> begin(instance)));
            }
            try {
                for (Future<Connection> one : begun) {
                    slots.connections.add(one.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
                }
            } catch (Exception e) {
                begun.stream()
                        .filter(one -> one.state() == Future.State.SUCCESS)
                        .forEach(one -> end(one.resultNow()));
                throw new AssertionError(
                        "only " + slots.connections.size() + " slots through " + through + " after " + atMost, e);
            }
        }
        return slots;
    }

    private static Connection begin(ProxyProcess instance) throws SQLException {
        Connection connection = instance.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN TRANSACTION");
        }
        return connection;
    }

    private static void end(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        connections.forEach(AllSlots::end);
    }
}
