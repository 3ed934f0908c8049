package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseView;
import dev.comporta.lease.redis.testkit.RedisCluster;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.TestBucket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Three masters with a replica each, and one of the masters is lost. Its bucket goes on at the replica, which may have
 * missed the last writes; the buckets of the other masters never notice.
 */
class ClusterFailoverTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    /** Longer than the cluster takes to replace a master, about three seconds here: nobody's lease ends meanwhile. */
    private static final Duration TTL = Duration.ofSeconds(15);
    /** Longer than this process is held up: where nothing is wrong no call fails. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    /** From the loss of the master on, until every slot is to be had again. */
    private static final Duration WHOLE_AGAIN = TTL.plusSeconds(2);

    private final Database database = new Database();
    private final List<TestInstance> instances = new ArrayList<>();
    private RedisCluster cluster;

    @BeforeEach
    void startCluster() throws IOException {
        cluster = new RedisCluster(3, 1, Duration.ofMillis(800));
    }

    private void startInstances(Duration commandTimeout) {
        for (String name : List.of("a", "b", "c")) {
            instances.add(new TestInstance(
                    new TestSettings(
                            name,
                            cluster.endpoint().withCommandTimeout(commandTimeout),
                            Duration.ofSeconds(1),
                            TTL,
                            true,
                            3),
                    database));
        }
    }

    @AfterEach
    void stop() throws IOException {
        instances.forEach(TestInstance::close);
        cluster.close();
    }

    /** A bucket whose books are on this master. */
    private String bucketOn(int master) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "bucket-" + i)
                .filter(id -> cluster.masterOf("proxy:{" + id + "}:slots")
                        .equals(cluster.masters().get(master)))
                .findFirst()
                .orElseThrow();
    }

    private List<TestBucket> everywhere(String id, int max) {
        return instances.stream()
                .map(instance -> instance.bucket(id, limit(max)))
                .toList();
    }

    private static void await(Duration atMost, Callable<Boolean> condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(atMost).until(condition);
    }

    /** A slot of each of the other buckets goes round, from one instance to the next, while this runs. */
    private final class Others implements AutoCloseable {
        private final List<List<TestBucket>> buckets;
        private final CompletableFuture<Void> running;
        private volatile boolean over;
        private volatile int rounds;
        private volatile String trouble = "";

        Others(String... ids) {
            buckets = Arrays.stream(ids).map(id -> everywhere(id, 1)).toList();
            for (List<TestBucket> bucket : buckets) {
                bucket.getFirst().want(1);
                await(SOON, () -> bucket.getFirst().inUse == 1);
            }
            running = CompletableFuture.runAsync(this::run, Thread::startVirtualThread);
        }

        private void run() {
            for (int at = 0; !over; at = (at + 1) % 3) {
                for (List<TestBucket> bucket : buckets) {
                    TestBucket next = bucket.get((at + 1) % 3);
                    next.want(1);
                    bucket.get(at).done(1);
                    try {
                        await(TTL, () -> {
                            note(bucket);
                            return next.inUse == 1;
                        });
                    } catch (RuntimeException e) {
                        trouble = "no slot for " + next.lease().view();
                        return;
                    }
                }
                rounds++;
            }
        }

        private void note(List<TestBucket> bucket) {
            for (TestBucket at : bucket) {
                LeaseView view = at.lease().view();
                if (view.standing() != LeaseView.Standing.IN_TOUCH || at.refused > 0) {
                    trouble = view.toString();
                }
            }
        }

        @Override
        public void close() {
            over = true;
            running.join();
        }
    }

    /** What is the same for every way of losing a master. */
    private interface Loss {
        void happens(RedisProcess master, RedisProcess replica) throws Exception;
    }

    private void lose(Loss loss) throws Exception {
        startInstances(COMMAND_TIMEOUT);
        String id = bucketOn(0);
        RedisProcess master = cluster.masters().getFirst();
        RedisProcess replica = cluster.replicaOf(master);
        List<TestBucket> buckets = everywhere(id, 7);
        TestBucket a = buckets.get(0);
        TestBucket b = buckets.get(1);
        TestBucket c = buckets.get(2);
        a.want(3);
        b.want(2);
        await(SOON, () -> a.inUse == 3 && b.inUse == 2 && heardOn(master, id) == 3);
        try (Others others = new Others(bucketOn(1), bucketOn(2))) {
            replica.freeze(); // and, with nothing on its way to it any more, what is written from now on is lost
            master.ask("CLIENT KILL TYPE replica");
            b.want(1);
            await(SOON, () -> b.inUse == 3);
            int roundsBefore = others.rounds;
            long lostAt = System.nanoTime();
            loss.happens(master, replica);
            replica.thaw();
            c.want(3);
            await(WHOLE_AGAIN.minusNanos(System.nanoTime() - lostAt), () -> c.inUse == 1);
            assertThat(RedisCluster.isMaster(replica)).isTrue();
            await(SOON, () -> c.lease().view().waiting() == 2);
            a.done(2);
            await(SOON, () -> c.inUse == 3);
            await(SOON, () -> heardOn(replica, id) == 3);
            assertThat(others.rounds).isGreaterThan(roundsBefore);
            assertThat(others.trouble).as("the other buckets notice nothing").isEmpty();
        }
        await(
                SOON,
                () -> buckets.stream()
                        .allMatch(bucket -> bucket.lease().view().standing() == LeaseView.Standing.IN_TOUCH));
        assertThat(database.most(id)).isEqualTo(7);
    }

    /** How many instances listen on this node for announcements of this bucket. */
    private static long heardOn(RedisProcess node, String id) {
        return Stream.of("a", "b", "c")
                .mapToLong(name -> node.listeners("proxy:{" + id + "}:to:" + name))
                .sum();
    }

    private static boolean hasRegisteredAnew(TestInstance instance) {
        return instance.leases.operations().of(LeaseOperations.Operation.REGISTER, LeaseOperations.Outcome.OK) >= 2;
    }

    @Test
    void masterHandsOverInOrderAndNoCallFails() throws Exception {
        startInstances(TTL); // the old master keeps calls waiting until the new one has all it wrote
        String id = bucketOn(0);
        RedisProcess replica = cluster.replicaOf(cluster.masters().getFirst());
        List<TestBucket> buckets = everywhere(id, 3);
        TestBucket a = buckets.get(0);
        TestBucket c = buckets.get(2);
        a.want(2);
        await(SOON, () -> a.inUse == 2 && heardOn(cluster.masters().getFirst(), id) == 3);
        replica.ask("CLUSTER FAILOVER");
        await(SOON, () -> RedisCluster.isMaster(replica));
        // The first it hears of anyone is a heartbeat, which was sent with others, to the old one.
        await(SOON, () -> instances.stream().allMatch(ClusterFailoverTest::hasRegisteredAnew));
        c.want(2);
        await(SOON, () -> c.inUse == 1 && c.lease().view().waiting() == 1);
        a.done(1);
        await(SOON, () -> c.inUse == 2 && heardOn(replica, id) == 3);
        for (TestInstance instance : instances) {
            for (LeaseOperations.Operation operation : LeaseOperations.Operation.values()) {
                assertThat(instance.leases.operations().of(operation, LeaseOperations.Outcome.FAILED))
                        .as("%s of %s", operation, instance.name)
                        .isZero();
            }
        }
        assertThat(database.most(id)).isEqualTo(3);
    }

    @Test
    void replicaTakesOverFromAMasterThatWasKilled() throws Exception {
        lose((master, replica) -> master.kill());
    }

    @Test
    void replicaTakesOverFromAMasterThatIsFrozenAndThenWakes() throws Exception {
        RedisProcess master = cluster.masters().getFirst();
        lose((old, replica) -> old.freeze());
        master.thaw();
        await(SOON, () -> !RedisCluster.isMaster(master));
        TestBucket late = instances.getFirst().bucket(bucketOn(0) + "-late", limit(1));
        late.want(1);
        await(SOON, () -> late.inUse == 1);
        assertThat(database.most(bucketOn(0)))
                .as("what the old master did when it woke counts for nobody")
                .isEqualTo(7);
    }
}
