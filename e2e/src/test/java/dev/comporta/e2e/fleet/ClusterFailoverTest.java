package dev.comporta.e2e.fleet;

import static dev.comporta.e2e.fleet.FleetOfProcesses.A_MOMENT;
import static dev.comporta.e2e.fleet.FleetOfProcesses.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.redis.testkit.RedisCluster;
import dev.comporta.lease.redis.testkit.RedisProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A cluster loses the master that has a bucket's books, and a replica takes its place. */
class ClusterFailoverTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    static final Seed SEED = Seed.fixed();

    private static String addresses(RedisCluster cluster) {
        return cluster.masters().stream()
                .map(node -> "\"127.0.0.1:" + node.port() + "\"")
                .collect(Collectors.joining(", ", "addr: [", "], mode: cluster"));
    }

    /** A bucket's name is its hash tag, so its keys are where the name itself would be. */
    private static String elsewhere(RedisCluster cluster, RedisProcess than) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "other-" + i)
                .filter(name -> !cluster.masterOf(name).equals(than))
                .findFirst()
                .orElseThrow();
    }

    private static String troubleOf(ServedBucket bucket) {
        return "bucket " + bucket.name + ": cannot lease slots from the fleet";
    }

    @Test
    void aReplicaTakesOverAndOnlyWhoNeedsANewConnectionThenWaitsForIt(@TempDir Path directory) throws Exception {
        try (RedisCluster cluster = new RedisCluster(3, 1, Duration.ofSeconds(1));
                ServedBucket orders = new ServedBucket("orders", 12)) {
            RedisProcess master = cluster.masterOf(orders.name);
            try (ServedBucket other = new ServedBucket(elsewhere(cluster, master), 6);
                    FleetOfProcesses fleet = new FleetOfProcesses(directory, _ -> addresses(cluster), orders, other)) {
                loseMaster(cluster, master, orders, other, fleet.three());
            }
        }
    }

    private static void loseMaster(
            RedisCluster cluster, RedisProcess master, ServedBucket orders, ServedBucket other, List<ProxyProcess> all)
            throws Exception {
        try (MixedLoad load = new MixedLoad(orders, all, 10, SEED.chance("orders")).awaitEveryoneWorks();
                MixedLoad beside = new MixedLoad(other, all, 1, SEED.chance("other")).awaitEveryoneWorks()) {
            LimitWatch ofOrders = new LimitWatch(orders, all);
            LimitWatch ofOther = new LimitWatch(other, all);
            Map<ProxyProcess, List<String>> saidBefore = new HashMap<>();
            Map<ProxyProcess, Integer> troubleBefore = new HashMap<>();
            for (ProxyProcess instance : all) {
                saidBefore.put(instance, instance.said(troubleOf(other)));
                troubleBefore.put(instance, instance.said(troubleOf(orders)).size());
            }
            RedisProcess replica = cluster.replicaOf(master);
            // Not before clients were seen to go on without a master, however slow the machine is.
            replica.ask("CONFIG SET cluster-replica-no-failover yes");
            long killedAt = System.nanoTime();
            master.kill();
            for (ProxyProcess instance : all) {
                load.awaitProgress(instance, SOON);
            }
            assertThat(RedisCluster.isMaster(replica)).isFalse();
            replica.ask("CONFIG SET cluster-replica-no-failover no");
            // That nobody had to wait for the failover is told by what the instances say, or don't, below.
            AllSlots.takeWhenReconciled(other, all, SOON).close();
            await("a replica takes over").atMost(SOON).until(() -> RedisCluster.isMaster(replica));
            Duration away = Duration.ofNanos(System.nanoTime() - killedAt);
            AllSlots.takeWhenReconciled(orders, all, TTL.plus(A_MOMENT)).close();
            for (ProxyProcess instance : all) {
                load.awaitProgress(instance, SOON);
                assertThat(instance.said(troubleOf(orders))).hasSizeGreaterThan(troubleBefore.get(instance));
                assertThat(instance.said(troubleOf(other))).isEqualTo(saidBefore.get(instance));
            }
            load.stop();
            beside.stop();
            System.out.println("a replica took over after " + away.toMillis() + " ms");
            assertThat(load.failures()).isEmpty();
            assertThat(beside.failures()).isEmpty();
            load.verifyCommits(all.getFirst());
            beside.verifyCommits(all.getFirst());
            ofOrders.verify(0, Set.of());
            ofOther.verify(0, Set.of());
        }
    }
}
