package dev.comporta.bench.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * A thousand virtual threads share ten connections. Each borrows, keeps the connection for about two milliseconds, as a query
 * would, and borrows again at once. Measures how long they wait, and in which order they are served.
 */
final class WaitsBenchmark {
    private static final int THREADS = 1000;
    private static final int CONNECTIONS = 10;
    private static final Duration HOLD = Duration.ofMillis(2);
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private WaitsBenchmark() {}

    /** The result of one pool. */
    private record Result(String title, Histogram micros, List<Integer> overtaken, double perSecond, int failed) {
        int overtaken(double percentile) {
            return overtaken.get(
                    (int) Math.min(overtaken.size() - 1L, Math.round(overtaken.size() * percentile / 100)));
        }

        double millis(double percentile) {
            return micros.getValueAtPercentile(percentile) / 1000.0;
        }
    }

    static void run(Duration time, List<PeerPool> pools) throws Exception {
        System.out.printf(
                "%d virtual threads on %d connections, %d ms each, %d s%n",
                THREADS, CONNECTIONS, HOLD.toMillis(), time.toSeconds());
        List<Result> results = new ArrayList<>();
        for (PeerPool pool : pools) {
            Result result = measure(pool, time);
            results.add(result);
            System.out.printf(
                    "%-12s %6.0f loans/s, waits p50 %7.1f ms, p99 %7.1f ms, longest %8.1f ms; overtaken by p50 %d, p99 %d,"
                            + " most %d later requests; %d failed%n",
                    result.title,
                    result.perSecond,
                    result.millis(50),
                    result.millis(99),
                    result.millis(100),
                    result.overtaken(50),
                    result.overtaken(99),
                    result.overtaken(100),
                    result.failed);
        }
        plot(results);
    }

    private static Result measure(PeerPool pool, Duration time) throws Exception {
        StubServer server = StubServer.start("waits", Duration.ofMillis(1));
        DataSource source = pool.open(new PeerPool.Terms(server.url(), CONNECTIONS, CONNECTIONS, Duration.ZERO, false));
        try {
            Crowd warmUp = new Crowd(source);
            warmUp.live(WARM_UP);
            Crowd crowd = new Crowd(source);
            crowd.live(time);
            return new Result(
                    pool.title(),
                    crowd.waits,
                    OrderOfService.overtakings(crowd.served()),
                    crowd.waits.getTotalCount() / (double) time.toSeconds(),
                    crowd.failed.get());
        } finally {
            PeerPool.close(source);
        }
    }

    /** The threads, and their measurements. */
    private static final class Crowd {
        private static final int MOST = 1 << 20;

        private final DataSource source;
        private final Histogram waits = new ConcurrentHistogram(3);
        private final AtomicInteger arrivals = new AtomicInteger();
        private final AtomicInteger services = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private final int[] order = new int[MOST];

        Crowd(DataSource source) {
            this.source = source;
        }

        void live(Duration time) throws InterruptedException {
            long end = System.nanoTime() + time.toNanos();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Thread.startVirtualThread(() -> borrowUntil(end)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private void borrowUntil(long end) {
            while (System.nanoTime() < end && arrivals.get() < MOST - THREADS) {
                int number = arrivals.getAndIncrement();
                long since = System.nanoTime();
                try (Connection _ = source.getConnection()) {
                    order[services.getAndIncrement()] = number;
                    waits.recordValue((System.nanoTime() - since) / 1000);
                    Thread.sleep(HOLD);
                } catch (SQLException _) {
                    failed.incrementAndGet();
                    order[services.getAndIncrement()] = number;
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }

        int[] served() {
            return Arrays.copyOf(order, services.get());
        }
    }

    private static void plot(List<Result> results) throws IOException {
        List<String> titles = results.stream().map(Result::title).toList();
        Plots.bars(
                "jdbc-waits",
                "1,000 virtual threads on 10 connections: wait for a connection",
                "milliseconds",
                titles,
                List.of(
                        new Plots.Series(
                                "p50", results.stream().map(r -> r.millis(50)).toList()),
                        new Plots.Series(
                                "p99", results.stream().map(r -> r.millis(99)).toList()),
                        new Plots.Series(
                                "longest",
                                results.stream().map(r -> r.millis(100)).toList())));
    }
}
