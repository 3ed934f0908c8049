package dev.comporta.lease;

import static dev.comporta.lease.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three masters, 120 buckets: what belongs to a bucket stays together, and the buckets spread. */
class RedisClusterTest extends LeasesSuite {
    private static final int SLOTS = 16384;
    private static final int MASTERS = 3;
    private static final int BUCKETS = 120;
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final List<RedisProcess> NODES = new ArrayList<>();

    @BeforeAll
    static void startCluster() throws IOException {
        for (int i = 0; i < MASTERS; i++) {
            int port = RedisProcess.freePort();
            NODES.add(new RedisProcess(
                    port,
                    "cluster-enabled yes",
                    "cluster-config-file nodes-" + port + ".conf",
                    "dir " + System.getProperty("java.io.tmpdir")));
        }
        for (int i = 0; i < MASTERS; i++) {
            int first = SLOTS * i / MASTERS;
            int end = SLOTS * (i + 1) / MASTERS;
            int node = i;
            onNode(i, commands -> {
                commands.clusterAddSlots(IntStream.range(first, end).toArray());
                commands.clusterMeet(
                        "127.0.0.1", NODES.get((node + 1) % MASTERS).port());
            });
        }
        for (int i = 0; i < MASTERS; i++) {
            onNode(
                    i,
                    commands -> await().atMost(SOON)
                            .until(() -> commands.clusterInfo().contains("cluster_state:ok")
                                    && commands.clusterInfo().contains("cluster_known_nodes:" + MASTERS)));
        }
    }

    private interface Task {
        void with(io.lettuce.core.api.sync.RedisCommands<String, String> commands);
    }

    private static void onNode(int node, Task task) {
        RedisClient client =
                RedisClient.create("redis://127.0.0.1:" + NODES.get(node).port());
        try (var connection = client.connect()) {
            task.with(connection.sync());
        } finally {
            client.shutdown();
        }
    }

    @AfterAll
    static void stopCluster() throws IOException {
        for (RedisProcess node : NODES) {
            node.close();
        }
    }

    private static RedisEndpoint cluster() {
        List<RedisEndpoint.Address> addresses = NODES.stream()
                .map(n -> new RedisEndpoint.Address("127.0.0.1", n.port()))
                .toList();
        return RedisEndpoint.plain(RedisEndpoint.Mode.CLUSTER, addresses).withCommandTimeout(Duration.ofSeconds(2));
    }

    @Override
    RedisEndpoint endpoint() {
        return cluster();
    }

    @Override
    long commands() {
        return NODES.stream().mapToLong(RedisProcess::commands).sum();
    }

    private static List<TestBucket> buckets(TestInstance of) {
        return IntStream.range(0, BUCKETS)
                .mapToObj(i -> of.bucket("bucket-" + i, limit(2)))
                .toList();
    }

    @Test
    void everyBucketHasItsLimitAndItsAnnouncements() {
        Database database = new Database();
        try (TestInstance first = new TestInstance(TestInstance.settings("a", cluster(), 2), database);
                TestInstance second = new TestInstance(TestInstance.settings("b", cluster(), 2), database)) {
            List<TestBucket> a = buckets(first);
            List<TestBucket> b = buckets(second);
            a.forEach(bucket -> bucket.want(2));
            await().atMost(SOON).until(() -> a.stream().allMatch(bucket -> bucket.inUse == 2));
            b.forEach(bucket -> bucket.want(1));
            await().atMost(SOON)
                    .until(() ->
                            b.stream().allMatch(bucket -> bucket.lease().view().waiting() == 1));
            a.forEach(bucket -> bucket.done(1));
            await().atMost(SOON).until(() -> b.stream().allMatch(bucket -> bucket.inUse == 1));
            for (int i = 0; i < BUCKETS; i++) {
                assertThat(database.most("bucket-" + i)).isEqualTo(2);
            }
            for (int node = 0; node < MASTERS; node++) {
                onNode(node, commands -> assertThat(commands.dbsize()).isGreaterThan(BUCKETS / MASTERS / 3));
            }
            assertThat(first.leases.operations().of(LeaseOperations.Operation.ACQUIRE, LeaseOperations.Outcome.FAILED))
                    .isZero();
        }
    }
}
