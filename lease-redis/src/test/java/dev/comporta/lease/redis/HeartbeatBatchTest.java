package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.redis.testkit.RedisCluster;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.TestBucket;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the heartbeats of many buckets cost: how often Redis has something to read, not only how much. */
@Isolated
class HeartbeatBatchTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int BUCKETS = 60;

    /** Times that Redis read from a connection so far. */
    private static long reads(List<RedisProcess> servers) {
        return servers.stream()
                .mapToLong(server -> server.ask("INFO stats")
                        .lines()
                        .filter(line -> line.startsWith("total_reads_processed:"))
                        .mapToLong(line -> Long.parseLong(
                                line.substring(line.indexOf(':') + 1).trim()))
                        .findFirst()
                        .orElseThrow())
                .sum();
    }

    private static long heartbeats(TestInstance of) {
        return of.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK);
    }

    /** @return heartbeats for each read */
    private static double beat(RedisEndpoint endpoint, List<RedisProcess> servers) {
        TestSettings settings = new TestSettings(
                "a",
                endpoint.withCommandTimeout(Duration.ofSeconds(5)),
                Duration.ofMillis(500),
                Duration.ofSeconds(20),
                true,
                1);
        try (TestInstance one = new TestInstance(settings, new Database())) {
            List<TestBucket> buckets = IntStream.range(0, BUCKETS)
                    .mapToObj(i -> one.bucket("bucket-" + i, limit(2)))
                    .toList();
            buckets.forEach(bucket -> bucket.want(1));
            await().atMost(SOON).until(() -> buckets.stream().allMatch(bucket -> bucket.inUse == 1));
            long readsBefore = reads(servers);
            long before = heartbeats(one);
            await().atMost(SOON).until(() -> heartbeats(one) >= before + 4 * BUCKETS);
            long beats = heartbeats(one) - before;
            return (double) beats / (reads(servers) - readsBefore);
        }
    }

    @Test
    void heartbeatsOfAllBucketsGoOutTogether() throws Exception {
        try (RedisProcess redis = new RedisProcess()) {
            // Redis reads 16 KB at most: 60 calls are two reads. Its own statistics take a few more.
            assertThat(beat(redis.endpoint(), List.of(redis))).isGreaterThan(8);
        }
    }

    @Test
    void onAClusterTheyGoTogetherToEachMaster() throws Exception {
        try (RedisCluster cluster = new RedisCluster(3, 0, Duration.ofSeconds(5))) {
            assertThat(beat(cluster.endpoint(), cluster.masters())).isGreaterThan(3);
        }
    }
}
