package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.LeaseView;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.TestBucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentinels that put a replica in the master's place. */
class FailoverTest {
    /** A failover, and well within a lease: none ends meanwhile. */
    private static final Duration SOON = TestInstance.LONG.minusSeconds(10);

    private static final String ORDERS = "orders";

    private static String onServer(RedisProcess server, String section) {
        return server.ask("INFO " + section);
    }

    private static RedisEndpoint behind(int sentinel) {
        return new RedisEndpoint(
                RedisEndpoint.Mode.SENTINEL,
                List.of(new RedisEndpoint.Address("127.0.0.1", sentinel)),
                Optional.of("fleet"),
                Optional.empty(),
                0,
                "proxy",
                RedisEndpoint.Tls.NONE,
                Duration.ofSeconds(2),
                Duration.ofSeconds(2));
    }

    private static Process sentinel(int port, int master, Path directory) throws IOException {
        Path configuration = directory.resolve("sentinel.conf");
        Files.writeString(configuration, """
                port %d
                bind 127.0.0.1
                dir %s
                sentinel monitor fleet 127.0.0.1 %d 1
                sentinel down-after-milliseconds fleet 500
                sentinel failover-timeout fleet 5000
                """.formatted(port, directory, master));
        return new ProcessBuilder(RedisProcess.executable().toString(), configuration.toString(), "--sentinel")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("sentinel.log").toFile())
                .start();
    }

    @Test
    void limitHoldsWhenAReplicaTakesOver(@TempDir Path directory) throws Exception {
        Database database = new Database();
        int sentinelPort = RedisProcess.freePort();
        try (RedisProcess master = new RedisProcess();
                RedisProcess replica = new RedisProcess("replicaof 127.0.0.1 " + master.port())) {
            await().atMost(SOON).until(() -> onServer(replica, "replication").contains("master_link_status:up"));
            Process sentinel = sentinel(sentinelPort, master.port(), directory);
            try (TestInstance first = new TestInstance(TestInstance.settings("a", behind(sentinelPort), 2), database);
                    TestInstance second =
                            new TestInstance(TestInstance.settings("b", behind(sentinelPort), 2), database)) {
                TestBucket a = first.bucket(ORDERS, limit(4));
                TestBucket b = second.bucket(ORDERS, limit(4));
                a.want(2);
                b.want(1);
                await().atMost(SOON).until(() -> a.inUse == 2 && b.inUse == 1);
                // Sentinel learns of replicas by asking the master, every ten seconds and at once when it starts.
                await().atMost(SOON)
                        .until(() -> Files.readString(directory.resolve("sentinel.log"))
                                .contains("+slave"));
                master.stop();
                b.want(5);
                // The sentinel ends the connections of all clients of the one it promotes, also of who asks here.
                await().atMost(SOON)
                        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                        .until(() -> onServer(replica, "replication").contains("role:master"));
                await().atMost(SOON)
                        .until(() -> a.lease().view().standing() == LeaseView.Standing.IN_TOUCH
                                && b.lease().view().standing() == LeaseView.Standing.IN_TOUCH);
                a.done(2);
                await().atMost(SOON).until(() -> b.inUse == 4);
                assertThat(database.most(ORDERS)).isEqualTo(4);
            } finally {
                sentinel.destroyForcibly().waitFor(); // it writes to the directory that goes next
            }
        }
    }
}
