package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** As many transactions, open at the same time, as the limit allows: who has them has shown that no slot is missing. */
final class AllSlots implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Connection> begun = new ConcurrentLinkedQueue<>();
    private final Queue<Statement> asking = new ConcurrentLinkedQueue<>();
    private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();
    private final Semaphore taken = new Semaphore(0);
    private volatile boolean enough;

    private AllSlots() {}

    /**
     * Takes them all through these instances, while the load goes on. It does not matter which instance has how many: at
     * each of them as many try as there are slots, and those who are not needed give up.
     */
    static AllSlots take(ServedBucket of, List<ProxyProcess> through, Duration atMost) throws Exception {
        AllSlots slots = new AllSlots();
        for (int i = 0; i < of.limit; i++) {
            for (ProxyProcess instance : through) {
                slots.threads.submit(() -> slots.begin(of, instance));
            }
        }
        boolean all = slots.taken.tryAcquire(of.limit, atMost.toNanos(), TimeUnit.NANOSECONDS);
        slots.enough = true;
        if (!all) {
            String report = slots.begun.size() + " of " + of.limit + " slots through " + through + " after " + atMost
                    + " " + slots.failures + of.report(through);
            slots.threads.shutdownNow(); // whoever still waits shall not hold up the bad news
            slots.close();
            throw new AssertionError(report);
        }
        for (Statement statement : slots.asking) {
            statement.cancel();
        }
        return slots;
    }

    /**
     * The same after a fault that let the limit be exceeded: those who have too many must have given back. An instance
     * whose lease ends just now may have given a client a connection before, and keeps it for that client: then those who
     * took it let go, and try again.
     */
    static AllSlots takeWhenReconciled(ServedBucket of, List<ProxyProcess> through, Duration atMost) throws Exception {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            await("reconciled")
                    .atMost(Duration.ofNanos(deadline - System.nanoTime()))
                    .untilAsserted(() -> assertThat(of.openSessions()).isLessThanOrEqualTo(of.limit));
            AllSlots slots = take(of, through, Duration.ofNanos(deadline - System.nanoTime()));
            if (of.openSessions() == of.limit) {
                return slots;
            }
            slots.close();
        }
    }

    private void begin(ServedBucket of, ProxyProcess instance) {
        try {
            Connection connection = of.connect(instance);
            if (!holds(connection)) {
                connection.close();
            }
        } catch (SQLException e) {
            if (!enough) {
                failures.add(e);
            }
        }
    }

    /** Whether this is one of those that are kept. */
    private boolean holds(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            asking.add(statement);
            if (enough) {
                return false;
            }
            statement.execute("BEGIN TRANSACTION");
            asking.remove(statement);
            if (enough) {
                return false;
            }
            begun.add(connection);
            taken.release();
            return true;
        } catch (SQLException e) {
            if (enough) {
                return false; // cancelled
            }
            throw e;
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : begun) {
            connection.close();
        }
        threads.close();
    }
}
