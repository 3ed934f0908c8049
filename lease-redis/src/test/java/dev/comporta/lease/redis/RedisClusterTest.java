package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.redis.testkit.RedisCluster;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.LeasesSuite;
import dev.comporta.lease.suite.TestBucket;
import dev.comporta.lease.suite.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three masters, 120 buckets: what belongs to a bucket stays together, and the buckets spread. */
class RedisClusterTest extends LeasesSuite {
    private static final int MASTERS = 3;
    private static final int BUCKETS = 120;
    private static final Duration SOON = Duration.ofSeconds(20);

    private static RedisCluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = new RedisCluster(MASTERS, 0, SOON);
    }

    @AfterAll
    static void stopCluster() throws IOException {
        cluster.close();
    }

    @Override
    protected LeaseStore connect(LeaseSettings settings, LeaseClock clock) {
        return RedisLeaseStore.connect(settings, TestInstance.patient(endpoint(), settings.timeToLive()));
    }

    private static RedisEndpoint endpoint() {
        return cluster.endpoint();
    }

    @Override
    protected long commands() {
        return cluster.masters().stream().mapToLong(RedisProcess::commands).sum();
    }

    @Override
    protected boolean isListening(LeaseStore store, String bucket) {
        String channel = ((RedisLeaseStore) store).channel(bucket);
        return cluster.masterOf(channel).listeners(channel) == 1;
    }

    private static List<TestBucket> buckets(TestInstance of) {
        return IntStream.range(0, BUCKETS)
                .mapToObj(i -> of.bucket("bucket-" + i, limit(2)))
                .toList();
    }

    @Test
    void everyBucketHasItsLimitAndItsAnnouncements() {
        Database database = new Database();
        TestClock clock = new TestClock();
        try (TestInstance first = new TestInstance(TestInstance.settings("a", endpoint(), 2), database);
                TestInstance second =
                        new TestInstance(TestInstance.settings("b", endpoint(), 2), database, clock.forLeases())) {
            List<TestBucket> a = buckets(first);
            List<TestBucket> b = buckets(second);
            a.forEach(bucket -> bucket.want(2));
            await().atMost(SOON).until(() -> a.stream().allMatch(bucket -> bucket.inUse == 2));
            b.forEach(bucket -> bucket.want(1));
            await().atMost(SOON)
                    .until(() -> a.stream()
                            .allMatch(bucket -> bucket.lease().view().fleet().stream()
                                    .anyMatch(holder -> holder.instance().equals("b") && holder.waiting() == 1)));
            await().atMost(SOON)
                    .until(() -> IntStream.range(0, BUCKETS).allMatch(i -> isListening(second.redis, "bucket-" + i)));
            clock.stop(); // it is never time to ask again
            a.forEach(bucket -> bucket.done(1));
            await().atMost(SOON).until(() -> b.stream().allMatch(bucket -> bucket.inUse == 1));
            for (int i = 0; i < BUCKETS; i++) {
                assertThat(database.most("bucket-" + i)).isEqualTo(2);
            }
            for (RedisProcess node : cluster.masters()) {
                assertThat(Integer.parseInt(node.ask("DBSIZE").substring(1))).isGreaterThan(BUCKETS / MASTERS / 3);
            }
            assertThat(first.leases.operations().of(LeaseOperations.Operation.ACQUIRE, LeaseOperations.Outcome.FAILED))
                    .isZero();
        }
    }
}
