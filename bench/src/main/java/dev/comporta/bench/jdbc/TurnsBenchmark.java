package dev.comporta.bench.jdbc;

import dev.comporta.bench.stats.Quartiles;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Measures loans and statements per second of Comporta and HikariCP in turns of a quarter of a second, in one JVM, so that
 * other load of the machine affects both. Shows the median and quartiles of the ratios of neighbouring turns.
 */
final class TurnsBenchmark {
    private static final Duration TURN = Duration.ofMillis(250);
    private static final int WARM_UP = 12;
    private static final String SQL = "SELECT name FROM orders WHERE id = ?";

    private TurnsBenchmark() {}

    /** The operation that a thread repeats. */
    private interface Work {
        void repeat(DataSource source, Turn turn) throws SQLException;
    }

    /** A period in which threads count their operations. */
    private static final class Turn {
        private final LongAdder done = new LongAdder();
        private volatile boolean over;
    }

    static void run(int turns) throws Exception {
        System.out.printf("Comporta beside HikariCP: median of %d ratios of neighbouring turns (quarters)%n", turns);
        for (int size : new int[] {32, 4}) {
            for (int threads : new int[] {1, 2, 8, 32}) {
                compare(
                        "%2d threads on %2d connections, loans".formatted(threads, size),
                        threads,
                        size,
                        turns,
                        TurnsBenchmark::borrow);
            }
        }
        for (int threads : new int[] {1, 8}) {
            compare("%2d threads, statements".formatted(threads), threads, 32, turns, TurnsBenchmark::execute);
        }
    }

    private static void borrow(DataSource source, Turn turn) throws SQLException {
        long done = 0;
        while (!turn.over) {
            source.getConnection().close();
            done++;
        }
        turn.done.add(done);
    }

    private static void execute(DataSource source, Turn turn) throws SQLException {
        long done = 0;
        try (Connection connection = source.getConnection()) {
            while (!turn.over) {
                try (PreparedStatement statement = connection.prepareStatement(SQL)) {
                    statement.setInt(1, 7);
                    try (ResultSet rows = statement.executeQuery()) {
                        done += rows.next() ? 0 : 1;
                    }
                }
            }
        }
        turn.done.add(done);
    }

    private static void compare(String what, int threads, int size, int turns, Work work) throws Exception {
        PeerPool.Terms terms = new PeerPool.Terms(StubDriver.PREFIX, size, size, Duration.ZERO, false);
        DataSource ours = PeerPool.COMPORTA.open(terms);
        DataSource theirs = PeerPool.HIKARI.open(terms);
        try {
            List<Double> ourRates = new ArrayList<>();
            List<Double> theirRates = new ArrayList<>();
            for (int i = -WARM_UP; i < turns; i++) {
                double a = perMilli(ours, threads, work);
                double b = perMilli(theirs, threads, work);
                if (i >= 0) {
                    ourRates.add(a);
                    theirRates.add(b);
                }
            }
            System.out.printf(
                    "%-40s %s; median %.0f and %.0f per ms%n",
                    what,
                    Quartiles.ofRatios(ourRates, theirRates),
                    Quartiles.of(ourRates).median(),
                    Quartiles.of(theirRates).median());
        } finally {
            PeerPool.close(ours);
            PeerPool.close(theirs);
        }
    }

    private static double perMilli(DataSource source, int threads, Work work) throws InterruptedException {
        Turn turn = new Turn();
        List<Thread> all = new ArrayList<>();
        long since = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            all.add(Thread.ofPlatform().start(() -> {
                try {
                    work.repeat(source, turn);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        LockSupport.parkNanos(TURN.toNanos());
        turn.over = true;
        for (Thread thread : all) {
            thread.join();
        }
        return turn.done.sum() / ((System.nanoTime() - since) / 1e6);
    }
}
