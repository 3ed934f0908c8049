package dev.comporta.e2e.fleet;

import static dev.comporta.testkit.Jdbc.ask;
import static dev.comporta.testkit.Jdbc.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real SIGHUP to a real process whose files have changed. */
@Timeout(120)
class HangupTest {
    private static final int NO_ROUTE = 50002;

    @TempDir
    private Path directory;

    private final ServedBucket untouched = new ServedBucket("untouched", 2);
    private final ServedBucket raised = new ServedBucket("raised", 2);
    private final ServedBucket removed = new ServedBucket("removed", 2);
    private final ServedBucket added = new ServedBucket("added", 1);

    HangupTest() throws IOException, SQLException {}

    @Test
    void filesThatChangedAreTakenOverAndBrokenOnesAreNot() throws Exception {
        Path config = Files.writeString(directory.resolve("proxy.yaml"), """
                proxy: {listen_addr: 127.0.0.1, listen_port: 0, health_check_port: 0, metrics_port: 0, event_loops: 1}
                """);
        write(untouched.configuration(), raised.configuration(), removed.configuration());
        ProxyProcess proxy = ProxyProcess.start("one", config, buckets());
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong served = new AtomicLong();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable _ = () -> over.set(true)) {
            proxy.awaitListening();
            Connection inTransaction = untouched.connect(proxy);
            run(inTransaction, "BEGIN TRANSACTION; UPDATE tally SET n = 7 WHERE id = 1");
            Connection busy = untouched.connect(proxy);
            Future<?> works = threads.submit(() -> {
                while (!over.get()) {
                    assertThat(ask(busy, "SELECT 5")).isEqualTo("5");
                    served.incrementAndGet();
                }
                return null;
            });
            long logins = awaitProgress(served, untouched);
            Connection leaves = removed.connect(proxy);
            assertThat(ask(leaves, "SELECT 1")).isEqualTo("1");
            assertNoRoute(proxy, added);

            write(untouched.configuration(), raised.configuration(4), added.configuration());
            proxy.hangUp();
            await().until(() -> proxy.said("configuration reloaded").size() == 1);
            assertServed(proxy, raised, 4);
            assertServed(proxy, added, 1);
            assertNoRoute(proxy, removed);
            await("its client had nothing to finish").until(() -> removed.openSessions() == 0);
            assertThatThrownBy(() -> ask(leaves, "SELECT 1")).isInstanceOf(SQLException.class);

            // Were any of it taken over, it would show: a bucket is missing, and a limit is lower.
            write(raised.configuration(1), added.configuration().replace("max_connections", "max_conections"));
            proxy.hangUp();
            await().until(() -> proxy.said("reload failed, configuration unchanged (errors above)")
                            .size()
                    == 1);
            assertThat(proxy.said("max_conections")).isNotEmpty();
            assertServed(proxy, raised, 4);
            assertServed(proxy, added, 1);
            assertNoRoute(proxy, removed);

            assertThat(awaitProgress(served, untouched))
                    .as("logins for those whose bucket is as it was")
                    .isEqualTo(logins);
            over.set(true);
            works.get();
            run(inTransaction, "COMMIT");
            assertThat(ask(busy, "SELECT n FROM tally WHERE id = 1")).isEqualTo("7");
            inTransaction.close();
            busy.close();
            assertThat(proxy.stopInOrder()).isZero();
        } finally {
            proxy.kill();
            List.of(untouched, raised, removed, added).forEach(ServedBucket::close);
        }
    }

    private Path buckets() {
        return directory.resolve("buckets.yaml");
    }

    private void write(String... buckets) throws IOException {
        Files.writeString(buckets(), "buckets: [" + String.join(",\n", buckets) + "]\n");
    }

    /** So many at once, and not one more. */
    private static void assertServed(ProxyProcess proxy, ServedBucket bucket, int limit) throws Exception {
        List<Connection> open = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            open.add(bucket.connect(proxy));
            run(open.getLast(), "BEGIN TRANSACTION");
        }
        try (ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
                Connection oneMore = bucket.connect(proxy)) {
            Future<String> answer = background.submit(() -> ask(oneMore, "SELECT 1"));
            await("one more waits").until(() -> proxy.waiting(bucket.name) == 1);
            assertThat(bucket.openSessions()).isEqualTo(limit);
            assertThat(bucket.mostSessions()).isLessThanOrEqualTo(limit);
            for (Connection connection : open) {
                run(connection, "COMMIT");
                connection.close();
            }
            assertThat(answer.get()).isEqualTo("1");
        }
    }

    private static void assertNoRoute(ProxyProcess proxy, ServedBucket bucket) {
        assertThatThrownBy(() -> bucket.connect(proxy))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(NO_ROUTE));
    }

    /** @return how often a connection was opened to the bucket so far */
    private static long awaitProgress(AtomicLong served, ServedBucket bucket) {
        long before = served.get();
        await("a client that nothing happens to is served").until(() -> served.get() > before + 20);
        return bucket.logins();
    }
}
