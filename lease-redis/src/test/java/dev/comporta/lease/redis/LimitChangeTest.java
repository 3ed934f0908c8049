package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseView;
import dev.comporta.lease.redis.testkit.RedisProcess;
import dev.comporta.lease.suite.Database;
import dev.comporta.lease.suite.TestBucket;
import dev.comporta.testkit.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Instances that are configured with different limits, and limits that change while instances run. */
class LimitChangeTest {
    private static final Duration SOON = TestInstance.LONG.minusSeconds(10);
    /** No other test's bucket has this name: the log is everybody's. */
    private static final String ORDERS = "orders-with-changing-limits";

    private final Database database = new Database();
    private final List<TestInstance> instances = new ArrayList<>();
    private final LogLines logged = new LogLines("dev.comporta.lease.LeaseBoard");
    private RedisProcess redis;

    @BeforeEach
    void start() throws IOException {
        redis = new RedisProcess();
    }

    @AfterEach
    void stop() {
        logged.close();
        instances.forEach(TestInstance::close);
        redis.close();
    }

    private List<String> warnings() {
        return logged.linesOf(Level.WARN, "bucket " + ORDERS, "different limits");
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(SOON).until(condition);
    }

    private TestInstance instance(String name) {
        return instance(name, 2);
    }

    private TestInstance instance(String name, int fleet) {
        TestInstance made = new TestInstance(TestInstance.settings(name, redis.endpoint(), fleet), database);
        instances.add(made);
        return made;
    }

    private static LeaseView seenBy(TestBucket bucket) {
        return bucket.lease().view();
    }

    /** So many heartbeats of this instance from now, and all that they bring has been heard. */
    private static void heartbeats(TestInstance of, int more) {
        long before = of.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK);
        await(() -> of.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK)
                >= before + more);
    }

    @Test
    void raisedAtOneInstanceItIsHigherForAll() {
        TestBucket a = instance("a").bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        TestBucket c = instance("c").bucket(ORDERS, limit(2));
        await(() -> seenBy(a).fleet().size() == 3);
        a.reconfigure(limit(7));
        b.want(9);
        await(() -> b.inUse == 7);
        assertThat(seenBy(b).limitVersion()).isEqualTo(1);
        assertThat(seenBy(b).isLimitDisputed()).isTrue();
        assertThat(seenBy(b).lowestLimit()).isEqualTo(2);
        assertThat(seenBy(b).highestLimit()).isEqualTo(7);
        assertThat(database.most(ORDERS)).isEqualTo(7);
        b.reconfigure(limit(7));
        c.reconfigure(limit(7));
        // Before the first change was heard of the limit was no more in dispute than now.
        await(() -> Stream.of(a, b, c)
                .map(LimitChangeTest::seenBy)
                .allMatch(seen -> seen.limitVersion() > 1 && !seen.isLimitDisputed()));
        assertThat(List.of(a, b, c))
                .allSatisfy(each -> assertThat(seenBy(each).limit()).isEqualTo(7));
    }

    @Test
    void loweredAtOneInstanceAllGiveUpWhatIsAboveTheirShare() {
        TestBucket a = instance("a").bucket(ORDERS, limit(9));
        TestBucket b = instance("b").bucket(ORDERS, limit(9));
        TestBucket c = instance("c").bucket(ORDERS, limit(9));
        await(() -> seenBy(a).fleet().size() == 3);
        a.want(6);
        await(() -> a.inUse == 6);
        b.want(3);
        await(() -> b.inUse == 3);
        c.reconfigure(limit(4));
        await(() -> a.demanded() == 4 && b.demanded() == 1);
        a.done(4);
        b.done(1);
        await(() -> database.open(ORDERS) == 4 && a.inUse == 2 && b.inUse == 2);
        c.want(5); // c's share is one or two of four: what b or a has above it is given up, no more
        await(() -> {
            a.done(1);
            b.done(1);
            return c.inUse >= 1;
        });
        assertThat(database.open(ORDERS)).isLessThanOrEqualTo(4);
    }

    @Test
    void changeOutlivesTheInstanceThatMadeItAndTheRedisThatKnewIt() throws Exception {
        TestInstance first = instance("a", 1); // an empty Redis need not wait for anybody but those it was told of
        TestBucket a = first.bucket(ORDERS, limit(2));
        TestBucket b = instance("b", 1).bucket(ORDERS, limit(2));
        await(() -> seenBy(b).fleet().size() == 2);
        a.reconfigure(limit(5));
        await(() -> seenBy(b).limit() == 5);
        first.close();
        await(() -> seenBy(b).fleet().size() == 1);
        redis.stop();
        redis.startEmpty();
        b.want(6);
        await(() -> b.inUse == 5);
        assertThat(seenBy(b).limit()).isEqualTo(5);
        assertThat(seenBy(b).isLimitDisputed()).as("b is configured with 2").isTrue();
    }

    @Test
    void whoStartsAfterTheChangeIsNotOverruledByIt() {
        TestBucket a = instance("a").bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        await(() -> seenBy(a).fleet().size() == 2);
        a.reconfigure(limit(6));
        await(() -> seenBy(b).limit() == 6);
        TestInstance third = instance("c");
        TestBucket c = third.bucket(ORDERS, limit(3));
        await(() -> seenBy(c).limit() == 3 && seenBy(b).limit() == 3);
        third.close();
        await(() -> seenBy(b).limit() == 6);
        b.reconfigure(limit(4));
        await(() -> seenBy(a).limit() == 4);
        assertThat(seenBy(a).limitVersion()).isEqualTo(2);
    }

    @Test
    void differenceIsWarnedOfOnceAndNamesWhoSaysWhat() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(5));
        await(() -> seenBy(a).fleet().size() == 1);
        TestInstance second = instance("b");
        TestBucket b = second.bucket(ORDERS, limit(2));
        await(() -> seenBy(a).fleet().size() == 2);
        heartbeats(first, 3);
        heartbeats(second, 3);
        // One from each of the two.
        assertThat(warnings())
                .hasSize(2)
                .allSatisfy(text -> assertThat(text).contains("a with 5", "b with 2", "2 is in force, the lowest"));
        b.reconfigure(limit(8));
        await(() -> seenBy(a).limit() == 8);
        heartbeats(first, 2);
        heartbeats(second, 2);
        assertThat(warnings())
                .hasSize(4)
                .last()
                .satisfies(text -> assertThat(text).contains("a with 5", "b with 8", "8 is in force", "version 1"));
        a.reconfigure(limit(8));
        await(() -> !seenBy(b).isLimitDisputed());
        assertThat(warnings()).hasSize(4);
    }
}
