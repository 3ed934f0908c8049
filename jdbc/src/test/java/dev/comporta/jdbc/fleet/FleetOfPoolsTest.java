package dev.comporta.jdbc.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.jdbc.db.PostgresDatabase;
import dev.comporta.jdbc.db.TestDatabase;
import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import dev.comporta.lease.redis.testkit.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Three applications as processes, with one limit, by the count of a real PostgreSQL. One is killed, one is frozen; the store is
 * gone, and comes back with nothing. Both stores at the same time, since it is mostly waiting.
 */
@Execution(ExecutionMode.CONCURRENT)
class FleetOfPoolsTest {
    private static final int LIMIT = 6;
    private static final int INSTANCES = 3;

    /** As in the proxy's tests: short, and longer than a busy machine keeps a process waiting. */
    private static final Duration TTL = Duration.ofSeconds(3);

    private static final Duration HEARTBEAT = Duration.ofMillis(400);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static PostgresDatabase postgres;

    @BeforeAll
    static void startPostgres() throws Exception {
        postgres = new PostgresDatabase();
    }

    @AfterAll
    static void stopPostgres() throws Exception {
        postgres.stop();
    }

    /** A store that the fleet has its slots in, and that fails. */
    private interface Store {
        String url();

        void kill();

        void startEmpty();
    }

    @Test
    void limitHoldsWithRedisWhateverFails() throws Exception {
        try (RedisProcess redis = new RedisProcess()) {
            goThroughAll("redis", new Store() {
                @Override
                public String url() {
                    return "redis://127.0.0.1:" + redis.port();
                }

                @Override
                public void kill() {
                    redis.kill();
                }

                @Override
                public void startEmpty() {
                    try {
                        redis.startEmpty();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
        }
    }

    @Test
    void limitHoldsWithDynamoDbWhateverFails() throws Exception {
        try (DynamoProcess dynamo = new DynamoProcess()) {
            goThroughAll("dynamodb", new Store() {
                @Override
                public String url() {
                    return "dynamodb:fleet?region=" + DynamoProcess.REGION + "&endpoint=" + dynamo.uri();
                }

                @Override
                public void kill() {
                    dynamo.kill();
                }

                @Override
                public void startEmpty() {
                    dynamo.startEmpty();
                }
            });
        }
    }

    private static void goThroughAll(String database, Store store) throws Exception {
        try (Connection admin = postgres.admin()) {
            TestDatabase.run(admin, "CREATE DATABASE " + database + " OWNER app");
        }
        List<PoolProcess> all = new ArrayList<>();
        try (Sessions sessions = new Sessions(database)) {
            try {
                for (int i = 0; i < INSTANCES; i++) {
                    all.add(start(database, "i" + i, store));
                }
                for (PoolProcess one : all) {
                    one.awaitReady();
                }
                frozen(all, sessions);
                storeIsGone(all, sessions, store);
                killed(all, sessions);
                stopped(all.subList(1, INSTANCES), sessions);
            } finally {
                all.forEach(PoolProcess::close);
            }
        }
    }

    private static PoolProcess start(String database, String name, Store store) throws IOException {
        return PoolProcess.start(
                name,
                DynamoProcess.CREDENTIALS,
                Map.ofEntries(
                        Map.entry("jdbcUrl", postgres.url().replace("/postgres", "/" + database)),
                        Map.entry("username", postgres.user()),
                        Map.entry("password", postgres.password()),
                        Map.entry("poolName", "orders"),
                        Map.entry("maximumPoolSize", Integer.toString(LIMIT)),
                        Map.entry("minimumIdle", "0"),
                        Map.entry("connectionTimeout", PATIENCE.toMillis() + "ms"),
                        Map.entry("leases", store.url()),
                        Map.entry("instanceId", name),
                        Map.entry("heartbeatInterval", HEARTBEAT.toMillis() + "ms"),
                        Map.entry("heartbeatTtl", TTL.toMillis() + "ms"),
                        Map.entry("localLimitDivisor", Integer.toString(INSTANCES))));
    }

    private static void frozen(List<PoolProcess> all, Sessions sessions) throws Exception {
        PoolProcess sleeper = all.get(1);
        List<PoolProcess> others = List.of(all.get(0), all.get(2));
        all.forEach(one -> one.hold(LIMIT / INSTANCES));
        all.forEach(one -> awaitHeld(one, LIMIT / INSTANCES));
        assertThat(sessions.now()).isEqualTo(LIMIT);
        sessions.verify(0, all);
        release(all);
        sleeper.freeze();
        others.forEach(one -> one.hold(3));
        others.forEach(one -> awaitHeld(one, 3));
        sleeper.thaw();
        await("what was idle in its sleep is closed")
                .atMost(PATIENCE)
                .until(() -> sessions.now() == LIMIT && sleeper.state().open() == 0);
        // What a process has open that can't run, nobody but the database can close.
        sessions.verify(LIMIT, all);
        release(others);
    }

    private static void storeIsGone(List<PoolProcess> all, Sessions sessions, Store store) {
        store.kill();
        long goneAt = System.nanoTime();
        // The fair share of each, once the leases of what the last one had are over.
        all.forEach(one -> one.hold(LIMIT / INSTANCES));
        all.forEach(one -> awaitHeld(one, LIMIT / INSTANCES));
        await("leases are over").atMost(PATIENCE).until(() -> System.nanoTime() - goneAt > TTL.toNanos());
        store.startEmpty();
        release(all);
        awaitOneCanHaveAll(all.getLast());
        sessions.verify(0, all);
    }

    private static void killed(List<PoolProcess> all, Sessions sessions) {
        all.forEach(one -> one.hold(LIMIT / INSTANCES));
        all.forEach(one -> awaitHeld(one, LIMIT / INSTANCES));
        all.getFirst().kill();
        List<PoolProcess> others = all.subList(1, INSTANCES);
        others.forEach(one -> one.hold(1));
        others.forEach(one -> awaitHeld(one, 3));
        sessions.verify(0, all);
        release(others);
    }

    private static void stopped(List<PoolProcess> all, Sessions sessions) throws Exception {
        for (PoolProcess one : all) {
            one.stop();
        }
        await("the database has none left").atMost(PATIENCE).until(() -> sessions.now() == 0);
    }

    private static void awaitHeld(PoolProcess one, int connections) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(one.state())
                        .as(one::said)
                        .extracting(PoolProcess.State::held, PoolProcess.State::failed)
                        .containsExactly(connections, 0));
    }

    private static void release(List<PoolProcess> some) {
        some.forEach(PoolProcess::release);
        some.forEach(one -> awaitHeld(one, 0));
    }

    /** No slot is lost. */
    private static void awaitOneCanHaveAll(PoolProcess one) {
        one.hold(LIMIT);
        awaitHeld(one, LIMIT);
        release(List.of(one));
    }

    /** Counts the sessions of one database, by its own word, as often as it can. */
    private static final class Sessions implements AutoCloseable {
        private final String query;
        private final Connection admin;
        private final Thread counter;
        private final Map<PoolProcess, Integer> expiredBefore = new HashMap<>();
        private int most;

        Sessions(String database) throws SQLException {
            query = "SELECT count(*), pg_sleep(0.01) FROM pg_stat_activity WHERE usename = 'app' AND datname = '"
                    + database + "'";
            admin = postgres.admin();
            counter = Thread.ofPlatform().daemon().start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    now();
                }
            });
        }

        synchronized int now() {
            int count = count();
            most = Math.max(most, count);
            return count;
        }

        private int count() {
            try {
                return Integer.parseInt(TestDatabase.ask(admin, query));
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        /**
         * Since the last time there were as many as the limit, and no more. A machine that stands still takes leases from
         * processes that nobody has touched, as if they had been frozen.
         */
        synchronized void verify(int beyond, List<PoolProcess> all) {
            int expired = 0;
            for (PoolProcess one : all) {
                int now = one.expired();
                expired += now - expiredBefore.getOrDefault(one, 0);
                expiredBefore.put(one, now);
            }
            assertThat(counter.isAlive()).as("somebody counts").isTrue();
            assertThat(most)
                    .as("sessions at the same time; %d leases have expired", expired)
                    .isBetween(LIMIT, LIMIT + Math.max(beyond, expired));
            most = 0;
        }

        @Override
        public void close() throws SQLException {
            counter.interrupt();
            try {
                counter.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            admin.close();
        }
    }
}
