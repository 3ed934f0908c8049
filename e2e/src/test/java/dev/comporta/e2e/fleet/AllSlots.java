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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** As many transactions, open at the same time, as the limit allows: who has them has shown that no slot is missing. */
final class AllSlots implements AutoCloseable {
    /** For logins, which need no slot: their time is the drivers' and the machine's, not the fleet's. */
    private static final Duration LOGINS = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Connection> begun = new ConcurrentLinkedQueue<>();
    private final Queue<Statement> asking = new ConcurrentLinkedQueue<>();
    private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();
    private final Semaphore loggedIn = new Semaphore(0);
    private final Semaphore taken = new Semaphore(0);
    private final CountDownLatch begin = new CountDownLatch(1);
    private volatile boolean enough;

    private AllSlots() {}

    /**
     * Takes them all through these instances, while the load goes on. It does not matter which instance has how many: at
     * each of them as many try as there are slots, and those who are not needed give up.
     *
     * @param atMost without the time that logins take, which need no slot: that is the drivers' and the machine's
     */
    static AllSlots take(ServedBucket of, List<ProxyProcess> through, Duration atMost) throws Exception {
        return take(of, through, TimeLimit.of(atMost));
    }

    private static AllSlots take(ServedBucket of, List<ProxyProcess> through, TimeLimit limit) throws Exception {
        long before = System.nanoTime();
        AllSlots slots = new AllSlots();
        for (int i = 0; i < of.limit; i++) {
            for (ProxyProcess instance : through) {
                slots.threads.submit(() -> slots.begin(of, instance));
            }
        }
        boolean all = acquire(slots.loggedIn, of.limit * through.size(), TimeLimit.of(LOGINS));
        limit.excuse(before);
        slots.begin.countDown();
        all = all && acquire(slots.taken, of.limit, limit);
        slots.enough = true;
        if (!all) {
            String report = slots.begun.size() + " of " + of.limit + " slots through " + through + " after "
                    + Duration.ofNanos(System.nanoTime() - before) + " " + slots.failures + of.report(through);
            slots.threads.shutdownNow(); // whoever still waits shall not hold up the bad news
            slots.close();
            throw new AssertionError(report);
        }
        for (Statement statement : slots.asking) {
            statement.cancel();
        }
        return slots;
    }

    private static boolean acquire(Semaphore permits, int count, TimeLimit limit) throws InterruptedException {
        boolean all = permits.tryAcquire(count);
        for (Duration left = limit.left(); !all && left.isPositive(); left = limit.left()) {
            all = permits.tryAcquire(count, left.toNanos(), TimeUnit.NANOSECONDS);
        }
        return all;
    }

    /**
     * The same after a fault that let the limit be exceeded: those who have too many must have given back. An instance
     * whose lease ends just now may have given a client a connection before, and keeps it for that client: then those who
     * took it let go, and try again.
     */
    static AllSlots takeWhenReconciled(ServedBucket of, List<ProxyProcess> through, Duration atMost) throws Exception {
        TimeLimit limit = TimeLimit.of(atMost);
        while (true) {
            await("those above their share have given back")
                    .atMost(limit.left().plusMillis(1))
                    .untilAsserted(() -> assertThat(of.openSessions()).isLessThanOrEqualTo(of.limit));
            AllSlots slots = take(of, through, limit);
            if (of.openSessions() == of.limit) {
                return slots;
            }
            slots.close();
        }
    }

    private void begin(ServedBucket of, ProxyProcess instance) {
        try {
            Connection connection = of.connect(instance);
            loggedIn.release();
            begin.await();
            if (!holds(connection)) {
                connection.close();
            }
        } catch (SQLException e) {
            if (!enough) {
                failures.add(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it took too long
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
