package dev.comporta.e2e.fleet;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Clients of one instance whose requests keep server connections busy, outside of transactions, for as long as it takes to
 * do something to the instance: one request after the other, until they are told to end.
 */
final class LongRequests implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> ends = new ArrayList<>();
    private final Semaphore running = new Semaphore(0);
    private volatile boolean last;

    /** Returns when the database is about all of them. */
    static LongRequests run(ServedBucket bucket, ProxyProcess through, int clients, Duration each) throws Exception {
        LongRequests requests = new LongRequests();
        for (int i = 0; i < clients; i++) {
            requests.ends.add(requests.threads.submit(() -> {
                requests.ask(bucket, through, each);
                return null;
            }));
        }
        if (!requests.running.tryAcquire(clients, FleetOfProcesses.QUEUE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            requests.threads.shutdownNow();
            throw new AssertionError("requests through " + through + " do not run");
        }
        return requests;
    }

    private void ask(ServedBucket bucket, ProxyProcess through, Duration each) throws SQLException {
        // The first result comes before the wait, and tells that it has begun.
        String sql = String.format(
                Locale.ROOT,
                "SELECT 1; RAISERROR('waiting', 0, 1) WITH NOWAIT; WAITFOR DELAY '00:00:%06.3f'; SELECT 2",
                each.toMillis() / 1000.0);
        try (Connection connection = bucket.connect(through);
                Statement statement = connection.createStatement()) {
            while (!last) {
                statement.execute(sql);
                running.release();
                if (!statement.getMoreResults()) {
                    throw new SQLException("no second result");
                }
                try (ResultSet second = statement.getResultSet()) {
                    second.next();
                }
            }
        }
    }

    /** Those that run are the last. */
    void theseAreTheLast() {
        last = true;
    }

    /** Throws what any of the clients saw go wrong. */
    void awaitAnswers() throws Exception {
        for (Future<?> end : ends) {
            end.get(FleetOfProcesses.QUEUE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        last = true;
        threads.shutdownNow();
    }
}
