package dev.comporta.lease;

import static dev.comporta.lease.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.comporta.lease.testkit.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Instances that are configured with different limits, and limits that change while instances run. */
@Isolated
class LimitChangeTest {
    private static final Duration SOON = TestInstance.TTL.plusSeconds(8);
    private static final String ORDERS = "orders";

    private final Database database = new Database();
    private final List<TestInstance> instances = new ArrayList<>();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private RedisProcess redis;

    @BeforeEach
    void start() throws IOException {
        redis = new RedisProcess();
        logged.start();
        boardLog().addAppender(logged);
    }

    @AfterEach
    void stop() {
        boardLog().detachAppender(logged);
        instances.forEach(TestInstance::close);
        redis.close();
    }

    private static Logger boardLog() {
        return (Logger) LoggerFactory.getLogger(LeaseBoard.class);
    }

    private List<String> warnings() {
        synchronized (logged) {
            return List.copyOf(logged.list).stream()
                    .filter(event -> event.getLevel() == Level.WARN)
                    .map(ILoggingEvent::getFormattedMessage)
                    .filter(text -> text.contains("different limits"))
                    .toList();
        }
    }

    private TestInstance instance(String name) {
        TestInstance made = new TestInstance(TestInstance.settings(name, redis.endpoint(), 2), database);
        instances.add(made);
        return made;
    }

    private static LeaseView seenBy(TestBucket bucket) {
        return bucket.lease().view();
    }

    /** So many heartbeats of this instance from now, and all that they bring has been heard. */
    private static void heartbeats(TestInstance of, int more) {
        long before = of.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK);
        await().atMost(SOON)
                .until(() -> of.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK)
                        >= before + more);
    }

    @Test
    void raisedAtOneInstanceItIsHigherForAll() {
        TestBucket a = instance("a").bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        TestBucket c = instance("c").bucket(ORDERS, limit(2));
        await().until(() -> seenBy(a).fleet().size() == 3);
        a.reconfigure(limit(7));
        b.want(9);
        await().atMost(SOON).until(() -> b.inUse == 7);
        assertThat(seenBy(b).limitVersion()).isEqualTo(1);
        assertThat(seenBy(b).isLimitDisputed()).isTrue();
        assertThat(seenBy(b).lowestLimit()).isEqualTo(2);
        assertThat(seenBy(b).highestLimit()).isEqualTo(7);
        assertThat(database.most(ORDERS)).isEqualTo(7);
        b.reconfigure(limit(7));
        c.reconfigure(limit(7));
        await().atMost(SOON)
                .until(() -> Stream.of(a, b, c).noneMatch(each -> seenBy(each).isLimitDisputed()));
        assertThat(seenBy(a).limit()).isEqualTo(7);
        assertThat(seenBy(c).limitVersion()).isGreaterThan(1);
    }

    @Test
    void loweredAtOneInstanceAllGiveUpWhatIsAboveTheirShare() {
        TestBucket a = instance("a").bucket(ORDERS, limit(9));
        TestBucket b = instance("b").bucket(ORDERS, limit(9));
        TestBucket c = instance("c").bucket(ORDERS, limit(9));
        await().until(() -> seenBy(a).fleet().size() == 3);
        a.want(6);
        await().until(() -> a.inUse == 6);
        b.want(3);
        await().until(() -> b.inUse == 3);
        c.reconfigure(limit(4));
        await().atMost(SOON).until(() -> a.demanded() == 4 && b.demanded() == 1);
        a.done(4);
        b.done(1);
        await().atMost(SOON).until(() -> database.open(ORDERS) == 4);
        assertThat(a.inUse).isEqualTo(2);
        assertThat(b.inUse).isEqualTo(2);
        c.want(5); // c's share is one or two of four: what b or a has above it is given up, no more
        await().atMost(SOON).until(() -> {
            a.done(1);
            b.done(1);
            return c.inUse >= 1;
        });
        assertThat(database.open(ORDERS)).isLessThanOrEqualTo(4);
    }

    @Test
    void changeOutlivesTheInstanceThatMadeItAndTheRedisThatKnewIt() throws Exception {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        await().until(() -> seenBy(b).fleet().size() == 2);
        a.reconfigure(limit(5));
        await().atMost(SOON).until(() -> seenBy(b).limit() == 5);
        first.close();
        await().atMost(SOON).until(() -> seenBy(b).fleet().size() == 1);
        redis.stop();
        redis.startEmpty();
        b.want(6);
        await().atMost(SOON).until(() -> b.inUse == 5);
        assertThat(seenBy(b).limit()).isEqualTo(5);
        assertThat(seenBy(b).isLimitDisputed()).as("b is configured with 2").isTrue();
    }

    @Test
    void whoStartsAfterTheChangeIsNotOverruledByIt() {
        TestBucket a = instance("a").bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        await().until(() -> seenBy(a).fleet().size() == 2);
        a.reconfigure(limit(6));
        await().atMost(SOON).until(() -> seenBy(b).limit() == 6);
        TestInstance third = instance("c");
        TestBucket c = third.bucket(ORDERS, limit(3));
        await().atMost(SOON).until(() -> seenBy(c).limit() == 3 && seenBy(b).limit() == 3);
        third.close();
        await().atMost(SOON).until(() -> seenBy(b).limit() == 6);
        b.reconfigure(limit(4));
        await().atMost(SOON).until(() -> seenBy(a).limit() == 4);
        assertThat(seenBy(a).limitVersion()).isEqualTo(2);
    }

    @Test
    void differenceIsWarnedOfOnceAndNamesWhoSaysWhat() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(5));
        await().until(() -> seenBy(a).fleet().size() == 1);
        TestInstance second = instance("b");
        TestBucket b = second.bucket(ORDERS, limit(2));
        await().until(() -> seenBy(a).fleet().size() == 2);
        heartbeats(first, 3);
        heartbeats(second, 3);
        // One from each of the two.
        assertThat(warnings())
                .hasSize(2)
                .allSatisfy(text ->
                        assertThat(text).contains("bucket orders", "a with 5", "b with 2", "2 rules, the lowest"));
        b.reconfigure(limit(8));
        await().atMost(SOON).until(() -> seenBy(a).limit() == 8);
        heartbeats(first, 2);
        heartbeats(second, 2);
        assertThat(warnings())
                .hasSize(4)
                .last()
                .satisfies(text -> assertThat(text).contains("a with 5", "b with 8", "8 rules", "version 1"));
        a.reconfigure(limit(8));
        await().atMost(SOON).until(() -> !seenBy(b).isLimitDisputed());
        assertThat(warnings()).hasSize(4);
    }
}
