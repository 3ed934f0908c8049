package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.BucketLease;
import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.TestBucket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bucket that one instance has no more, while others go on with it. */
class RemovedBucketTest {
    /** Well within the time to live: nobody waited for that to end. */
    private static final Duration SOON = TestInstance.LONG.minusSeconds(10);

    private static final String ORDERS = "orders";

    private final Database database = new Database();
    private final List<TestInstance> instances = new ArrayList<>();
    private RedisProcess redis;

    @BeforeEach
    void startRedis() throws IOException {
        redis = new RedisProcess();
    }

    @AfterEach
    void stop() {
        instances.forEach(TestInstance::close);
        redis.close();
    }

    private TestInstance instance(String name) {
        TestInstance made = new TestInstance(TestInstance.settings(name, redis.endpoint(), 2), database);
        instances.add(made);
        return made;
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(SOON).until(condition);
    }

    /** Whether Redis knows it, as it told this one. */
    private static boolean isInLine(TestBucket told, String instance, int waiting) {
        return told.lease().view().fleet().stream()
                .anyMatch(h -> h.instance().equals(instance) && h.waiting() == waiting);
    }

    @Test
    void itsTicketsAreOutOfTheLineAtOnce() {
        TestBucket a = instance("a").bucket(ORDERS, limit(1));
        TestInstance second = instance("b");
        TestBucket b = second.bucket(ORDERS, limit(1));
        TestBucket c = instance("c").bucket(ORDERS, limit(1));
        a.want(1);
        await(() -> a.inUse == 1);
        b.want(3);
        await(() -> isInLine(a, "b", 1)); // a bucket asks for no more than its limit
        c.want(1);
        await(() -> isInLine(a, "c", 1));
        b.remove();
        CompletableFuture<?> gone = second.leases.left(b.lease().bucketId());
        await(gone::isDone);
        assertThat(second.leases.views()).isEmpty();
        await(() -> c.lease().view().fleet().stream()
                .noneMatch(holder -> holder.instance().equals("b")));
        a.done(1);
        await(() -> c.inUse == 1);
        assertThat(b.served).isZero();
    }

    @Test
    void itsSlotsAreFreeWhenItsConnectionsAreClosedAndNotBefore() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(3));
        TestBucket b = instance("b").bucket(ORDERS, limit(3));
        a.want(3);
        await(() -> a.inUse == 3);
        a.done(1);
        b.want(3);
        a.remove();
        CompletableFuture<?> gone = first.leases.left(a.lease().bucketId());
        await(() -> b.inUse == 1);
        assertThat(gone).as("two connections are in use").isNotDone();
        long beats = first.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK);
        // It still renews its lease.
        await(() -> first.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK)
                >= beats + 3);
        assertThat(b.inUse).isEqualTo(1);
        a.done(2);
        await(() -> b.inUse == 3 && gone.isDone());
        assertThat(database.most(ORDERS)).isEqualTo(3);
    }

    @Test
    void itCanComeAgain() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        a.want(2);
        await(() -> a.inUse == 2);
        a.done(2);
        a.remove();
        first.leases.left(a.lease().bucketId()).join();
        TestBucket again = first.bucket(ORDERS, limit(2));
        again.want(1);
        await(() -> again.inUse == 1);
        b.want(2);
        await(() -> b.inUse == 1);
        again.done(1);
        await(() -> b.inUse == 2);
        assertThat(database.most(ORDERS)).isEqualTo(2);
    }

    @Test
    void instanceThatStopsWhileItsFirstCallIsUnderWayLeavesNothingBehind() throws Exception {
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        await(() -> b.lease().view().fleet().size() == 1);
        TestInstance first = instance("a");
        await(() -> !first.redis.link().isBroken() && !first.redis.link().isConnecting());
        redis.freeze();
        TestBucket a = first.bucket(ORDERS, limit(2));
        assertThat(a.demanded()).as("its thread has made the call").isZero();
        CompletableFuture<BucketLease> left = a.lease().leave();
        assertThat(a.demanded()).as("its thread has said goodbye").isZero();
        assertThat(left).as("before the call was answered").isNotDone();
        redis.thaw();
        await(left::isDone);
        b.want(1);
        await(() -> b.inUse == 1);
        assertThat(b.lease().view().fleet()).hasSize(1);
    }
}
