package dev.comporta.lease.redis.testkit;

import static org.awaitility.Awaitility.await;

import dev.comporta.lease.redis.RedisEndpoint;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A real Redis Cluster: masters that share the slots evenly, each with as many replicas as asked for. */
public final class RedisCluster implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Path directory = Files.createTempDirectory("redis-cluster");
    private final List<RedisProcess> masters = new ArrayList<>();
    private final List<RedisProcess> replicas = new ArrayList<>();

    /** @param nodeTimeout after so long without an answer a node is thought dead, and one of its replicas takes over */
    public RedisCluster(int masterCount, int replicasEach, Duration nodeTimeout) throws IOException {
        for (int i = 0; i < masterCount; i++) {
            masters.add(node());
        }
        for (int i = 0; i < masterCount * replicasEach; i++) {
            replicas.add(node());
        }
        for (int i = 0; i < masterCount; i++) {
            int first = SlotHash.SLOT_COUNT * i / masterCount;
            int end = SlotHash.SLOT_COUNT * (i + 1) / masterCount;
            masters.get(i).ask("CLUSTER ADDSLOTSRANGE " + first + " " + (end - 1));
        }
        RedisProcess known = masters.getFirst();
        all().filter(node -> !node.equals(known)).forEach(node -> known.ask("CLUSTER MEET 127.0.0.1 " + node.port()));
        all().forEach(node -> await().atMost(SOON)
                .until(() -> node.ask("CLUSTER INFO").contains("cluster_known_nodes:" + all().count())));
        for (int i = 0; i < replicas.size(); i++) {
            String master = masters.get(i % masterCount).ask("CLUSTER MYID");
            replicas.get(i).ask("CLUSTER REPLICATE " + master);
        }
        all().forEach(node -> await().atMost(SOON).until(() -> isReady(node)));
        replicas.forEach(replica -> await().atMost(SOON).until(() -> isInStep(replica)));
        all().forEach(node -> node.ask("CONFIG SET cluster-node-timeout " + nodeTimeout.toMillis()));
    }

    private RedisProcess node() throws IOException {
        int port = RedisProcess.freePort();
        return new RedisProcess(
                port,
                "cluster-enabled yes",
                "cluster-config-file nodes-" + port + ".conf",
                // While they meet: a node that does not answer for so long is forgotten, and nobody introduces it
                // again.
                "cluster-node-timeout " + SOON.toMillis(),
                // Else all masters refuse while one of them is replaced.
                "cluster-require-full-coverage no",
                // A replica that has just been started may take over as well.
                "cluster-replica-validity-factor 0",
                "dir " + directory);
    }

    /** A node that knows where all slots are refuses calls for a while yet. */
    private static boolean isReady(RedisProcess node) {
        String info = node.ask("CLUSTER INFO");
        return info.contains("cluster_slots_ok:" + SlotHash.SLOT_COUNT) && info.contains("cluster_state:ok");
    }

    private static boolean isInStep(RedisProcess replica) {
        return replica.ask("INFO replication").contains("master_link_status:up");
    }

    private Stream<RedisProcess> all() {
        return Stream.concat(masters.stream(), replicas.stream());
    }

    public List<RedisProcess> masters() {
        return List.copyOf(masters);
    }

    /** The one that had this key's slot when the cluster was made. */
    public RedisProcess masterOf(String key) {
        int slot = SlotHash.getSlot(key);
        return masters.get(IntStream.range(0, masters.size())
                .filter(i -> slot < SlotHash.SLOT_COUNT * (i + 1) / masters.size())
                .findFirst()
                .orElseThrow());
    }

    /** From now on this is the port at which clients are told to find that node. */
    public void announce(RedisProcess node, int port) {
        node.ask("CONFIG SET cluster-announce-port " + port);
        all().forEach(other ->
                await().atMost(SOON).until(() -> other.ask("CLUSTER NODES").contains(":" + port + "@")));
    }

    /** Its first replica, as the cluster was made. */
    public RedisProcess replicaOf(RedisProcess master) {
        return replicas.get(masters.indexOf(master));
    }

    public static boolean isMaster(RedisProcess node) {
        return node.ask("INFO replication").contains("role:master");
    }

    public RedisEndpoint endpoint() {
        return RedisEndpoint.plain(
                RedisEndpoint.Mode.CLUSTER,
                masters.stream()
                        .map(node -> new RedisEndpoint.Address("127.0.0.1", node.port()))
                        .toList());
    }

    @Override
    public void close() throws IOException {
        all().forEach(RedisProcess::close);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
