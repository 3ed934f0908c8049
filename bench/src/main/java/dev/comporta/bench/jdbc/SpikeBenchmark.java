package dev.comporta.bench.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Fifty threads at once ask a pool for connections that has five and may have fifty. A connect takes 150 ms, a query 2 ms: so
 * waiting for one of the five is much faster than opening a new one. Measures how long the threads wait, and how many
 * connections are opened.
 */
final class SpikeBenchmark {
    private static final int THREADS = 50;
    private static final int READY = 5;
    private static final Duration CONNECT = Duration.ofMillis(150);
    private static final Duration HOLD = Duration.ofMillis(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private SpikeBenchmark() {}

    static void run(int rounds) throws Exception {
        System.out.printf(
                "%d threads at once on %d ready connections of at most %d, connects of %d ms, %d ms each, %d rounds%n",
                THREADS, READY, THREADS, CONNECT.toMillis(), HOLD.toMillis(), rounds);
        for (PeerPool pool : PeerPool.values()) {
            Histogram waits = new ConcurrentHistogram(3);
            double all = 0;
            int opened = 0;
            int failed = 0;
            measure(pool, new ConcurrentHistogram(3)); // warms up
            for (int round = 0; round < rounds; round++) {
                Spike spike = measure(pool, waits);
                all += spike.millis;
                opened += spike.opened;
                failed += spike.failed;
            }
            System.out.printf(
                    "%-12s all served after %6.1f ms, waits p50 %6.1f ms, p99 %6.1f ms, longest %6.1f ms; %4.1f connections"
                            + " opened; %d failed%n",
                    pool.title(),
                    all / rounds,
                    waits.getValueAtPercentile(50) / 1000.0,
                    waits.getValueAtPercentile(99) / 1000.0,
                    waits.getMaxValue() / 1000.0,
                    (double) opened / rounds,
                    failed);
        }
    }

    /** The result of one round. */
    private record Spike(double millis, int opened, int failed) {}

    private static Spike measure(PeerPool pool, Histogram waits) throws Exception {
        StubServer server = StubServer.start("spike", CONNECT);
        DataSource source = pool.open(new PeerPool.Terms(server.url(), THREADS, READY, Duration.ZERO, false));
        try {
            source.getConnection().close(); // some pools open the first connections only now
            awaitReady(server);
            CountDownLatch begin = new CountDownLatch(1);
            AtomicInteger failed = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Thread.ofPlatform().start(() -> borrow(source, begin, waits, failed)));
            }
            int before = server.connects().size();
            long since = System.nanoTime();
            begin.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            double millis = (System.nanoTime() - since) / 1e6;
            LockSupport.parkNanos(CONNECT.multipliedBy(2).toNanos()); // connects under way are counted too
            return new Spike(millis, server.connects().size() - before, failed.get());
        } finally {
            PeerPool.close(source);
        }
    }

    /** Waits until the idle connections to keep are open, and no more are being opened. */
    private static void awaitReady(StubServer server) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (server.openNow() < READY && System.nanoTime() < end) {
            LockSupport.parkNanos(CONNECT.toNanos());
        }
        LockSupport.parkNanos(CONNECT.multipliedBy(2).toNanos());
    }

    private static void borrow(DataSource source, CountDownLatch begin, Histogram waits, AtomicInteger failed) {
        try {
            begin.await();
            long since = System.nanoTime();
            try (Connection _ = source.getConnection()) {
                waits.recordValue((System.nanoTime() - since) / 1000);
                Thread.sleep(HOLD);
            }
        } catch (SQLException _) {
            failed.incrementAndGet();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
