package dev.comporta.lease;

import static dev.comporta.lease.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.testkit.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bucket that one instance has no more, while others go on with it. */
class RemovedBucketTest {
    /** Well within the time to live: nobody waited for that to end. */
    private static final Duration AT_ONCE = TestInstance.TTL.minusMillis(500);

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

    @Test
    void itsTicketsAreOutOfTheLineAtOnce() {
        TestBucket a = instance("a").bucket(ORDERS, limit(1));
        TestInstance second = instance("b");
        TestBucket b = second.bucket(ORDERS, limit(1));
        TestBucket c = instance("c").bucket(ORDERS, limit(1));
        a.want(1);
        await().until(() -> a.inUse == 1);
        b.want(3);
        await().until(() -> b.lease().view().waiting() > 0);
        c.want(1);
        await().until(() -> c.lease().view().waiting() == 1);
        b.remove();
        CompletableFuture<BucketLease> gone = second.leases.forget(b.lease());
        await().atMost(AT_ONCE).until(gone::isDone);
        assertThat(second.leases.views()).isEmpty();
        await().until(() -> c.lease().view().fleet().stream()
                .noneMatch(holder -> holder.instance().equals("b")));
        a.done(1);
        await().atMost(AT_ONCE).until(() -> c.inUse == 1);
        assertThat(b.served).isZero();
    }

    @Test
    void itsSlotsAreFreeWhenItsConnectionsAreClosedAndNotBefore() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(3));
        TestBucket b = instance("b").bucket(ORDERS, limit(3));
        a.want(3);
        await().until(() -> a.inUse == 3);
        a.done(1);
        b.want(3);
        a.remove();
        CompletableFuture<BucketLease> gone = first.leases.forget(a.lease());
        await().atMost(AT_ONCE).until(() -> b.inUse == 1);
        assertThat(gone).as("two connections are in use").isNotDone();
        long beats = first.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK);
        await().until(() ->
                first.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK)
                        >= beats + 5); // longer than the time to live
        assertThat(b.inUse).isEqualTo(1);
        a.done(2);
        await().atMost(AT_ONCE).until(() -> b.inUse == 3 && gone.isDone());
        assertThat(database.most(ORDERS)).isEqualTo(3);
    }

    @Test
    void itCanComeAgain() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        a.want(2);
        await().until(() -> a.inUse == 2);
        a.done(2);
        a.remove();
        first.leases.forget(a.lease()).join();
        TestBucket again = first.bucket(ORDERS, limit(2));
        again.want(1);
        await().atMost(AT_ONCE).until(() -> again.inUse == 1);
        b.want(2);
        await().atMost(AT_ONCE).until(() -> b.inUse == 1);
        again.done(1);
        await().atMost(AT_ONCE).until(() -> b.inUse == 2);
        assertThat(database.most(ORDERS)).isEqualTo(2);
    }

    @Test
    void instanceThatStopsWhileItsFirstCallIsUnderWayLeavesNothingBehind() throws Exception {
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        await().until(() -> b.lease().view().fleet().size() == 1);
        TestInstance first = instance("a");
        await().until(() -> !first.leases.link().isBroken());
        redis.freeze();
        TestBucket a = first.bucket(ORDERS, limit(2));
        assertThat(a.demanded()).as("its thread has made the call").isZero();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(first::close);
        redis.thaw();
        stopped.join();
        b.want(1);
        await().until(() -> b.inUse == 1);
        assertThat(b.lease().view().fleet()).hasSize(1);
    }
}
