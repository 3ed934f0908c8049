package dev.comporta.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.ops.config.Configuration;
import dev.comporta.ops.config.ConfigurationReader;
import dev.comporta.ops.route.Router;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.Phase;
import dev.comporta.pool.lease.LeaseSource;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.watch.News;
import dev.comporta.standin.Standin;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LookoutTest {
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final CountDownLatch freed = new CountDownLatch(1);

    /** Asked on an event loop: the way to keep one from everything else. */
    private Router stick(Router router) {
        stuck.countDown();
        try {
            freed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return router;
    }

    @Test
    void aBucketWhoseLoopDoesNotAnswerIsShownAsItWasLastSeenAndKeepsNobodyWaiting() throws Exception {
        try (Standin server = Standin.builder().login("sa", "Secret-1").start()) {
            Configuration configuration = ConfigurationReader.ofThisProcess()
                    .read(
                            "proxy: {listen_addr: 127.0.0.1, listen_port: 0, event_loops: 1, default_bucket: a}\n",
                            "buckets: [{id: a, host: 127.0.0.1, port: " + server.port()
                                    + ", encrypt: off, max_connections: 7}]\n",
                            Path.of(""))
                    .orThrow();
            Lookout lookout = new Lookout("one", Optional.empty());
            assertThat(lookout.observe().buckets()).as("before the start").isEmpty();
            try (Certificates.Loading certificates = new Certificates.Loading(configuration.proxy());
                    Proxy proxy = Wiring.start(
                            configuration,
                            certificates.clients(),
                            Wiring.buckets(configuration).values(),
                            () -> stick(configuration.router()),
                            LeaseSource.LOCAL,
                            News.NONE);
                    AutoCloseable _ = freed::countDown) { // before the proxy is closed, which waits for its loop
                lookout.running(proxy, Optional::empty);
                assertThat(lookout.observe().phase()).isEqualTo(Phase.RUNNING);
                await().untilAsserted(() -> assertThat(ageOf(lookout.observe())).isLessThan(Duration.ofSeconds(1)));

                CompletableFuture<Void> client = CompletableFuture.runAsync(
                        () -> connect(proxy.port()), task -> Thread.ofVirtual().start(task));
                stuck.await();
                await().untilAsserted(() -> assertThat(ageOf(lookout.observe())).isGreaterThan(Duration.ofSeconds(1)));
                long before = System.nanoTime();
                Observation seen = lookout.observe();
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(30));
                assertThat(seen.buckets().getFirst().pool().limit()).isEqualTo(7);

                freed.countDown();
                client.get();
                await().untilAsserted(() -> assertThat(ageOf(lookout.observe())).isLessThan(Duration.ofSeconds(1)));
            }
        }
    }

    private static Duration ageOf(Observation seen) {
        return seen.buckets().getFirst().age();
    }

    private static void connect(int port) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlserver://127.0.0.1:" + port
                + ";encrypt=false;trustServerCertificate=true;user=sa;password=Secret-1")) {
            assertThat(connection.isClosed()).isFalse();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
