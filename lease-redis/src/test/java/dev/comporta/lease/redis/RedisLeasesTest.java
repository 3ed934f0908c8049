package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.LeasesSuite;
import dev.comporta.lease.suite.TestBucket;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One server. */
class RedisLeasesTest extends LeasesSuite {
    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() throws IOException {
        redis = new RedisProcess();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.close();
    }

    @Override
    protected LeaseStore connect(LeaseSettings settings, LeaseClock clock) {
        return RedisLeaseStore.connect(settings, TestInstance.patient(endpoint(), settings.timeToLive()));
    }

    private static RedisEndpoint endpoint() {
        return redis.endpoint();
    }

    @Override
    protected long commands() {
        return redis.commands();
    }

    @Override
    protected boolean isListening(LeaseStore store, String bucket) {
        String channel = ((RedisLeaseStore) store).channel(bucket);
        return redis.listeners(channel) == 1;
    }

    private static RedisEndpoint locked(RedisProcess server, String user, String password) {
        return new RedisEndpoint(
                RedisEndpoint.Mode.STANDALONE,
                server.endpoint().addresses(),
                Optional.empty(),
                Optional.of(new RedisEndpoint.Credentials(user, password)),
                1,
                "other",
                RedisEndpoint.Tls.NONE,
                Duration.ofSeconds(5),
                Duration.ofSeconds(1));
    }

    @Test
    void userAndPasswordLetIn() throws Exception {
        Database database = new Database();
        String user = "user fleet on >sesame ~other:* &other:* +@all";
        try (RedisProcess server = new RedisProcess("requirepass open", user);
                TestInstance in =
                        new TestInstance(TestInstance.settings("a", locked(server, "fleet", "sesame"), 1), database);
                TestInstance out =
                        new TestInstance(TestInstance.settings("b", locked(server, "", "wrong"), 1), database)) {
            TestBucket a = in.bucket("orders", limit(1));
            TestBucket b = out.bucket("orders", limit(1));
            a.want(1);
            await().until(() -> a.inUse == 1);
            await().until(() -> out.leases.operations().of(Operation.REGISTER, Outcome.FAILED) > 0);
            assertThat(b.lease().view().fleet()).isEmpty();
            assertThat(locked(server, "fleet", "sesame").toString()).doesNotContain("sesame");
        }
    }
}
