package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Requests as fast as they are answered, once there is a connection for everyone who makes some; and what they cost. */
final class ManyRequests {
    private final ServedBucket bucket;
    private final OneRedis redis;
    private long begun;
    private long requestsBefore;
    private long callsBefore;
    private long answered;
    private long callsToRedis;
    private long ended;

    ManyRequests(ServedBucket bucket, OneRedis redis) {
        this.bucket = bucket;
        this.redis = redis;
    }

    /** At least so many in all, shared by so many clients of each instance. */
    void ask(List<ProxyProcess> instances, int clientsEach, int atLeast) throws Exception {
        int clients = clientsEach * instances.size();
        CyclicBarrier everyoneHasAConnection = new CyclicBarrier(clients);
        CyclicBarrier everyoneGaveItBack = new CyclicBarrier(clients, this::begin);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                ProxyProcess instance = instances.get(i % instances.size());
                ends.add(threads.submit(() -> {
                    try (Connection connection = bucket.connect(instance);
                            Statement statement = connection.createStatement()) {
                        statement.execute("BEGIN TRANSACTION");
                        everyoneHasAConnection.await();
                        statement.execute("COMMIT");
                        everyoneGaveItBack.await();
                        ask(statement, atLeast / clients + 1);
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        answered = bucket.requests() - requestsBefore;
        callsToRedis = redis.calls() - callsBefore;
        ended = System.nanoTime();
    }

    /** The time is taken around the counting: what was counted was done in it, whoever had to wait for its turn between. */
    private void begin() {
        begun = System.nanoTime();
        requestsBefore = bucket.requests();
        callsBefore = redis.calls();
    }

    private static void ask(Statement statement, int times) throws SQLException {
        for (int i = 0; i < times; i++) {
            try (ResultSet rows = statement.executeQuery("SELECT " + i)) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(i);
            }
        }
    }

    long answered() {
        return answered;
    }

    long callsToRedis() {
        return callsToRedis;
    }

    Duration took() {
        return Duration.ofNanos(ended - begun);
    }
}
