package dev.comporta.lease;

import static dev.comporta.lease.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What several instances do together while nothing goes wrong, however Redis is set up. */
abstract class LeasesSuite {
    private static int bucketNumber;

    private final Database database = new Database();
    private final List<TestInstance> instances = new ArrayList<>();
    private final String orders = "orders-" + ++bucketNumber;

    abstract RedisEndpoint endpoint();

    /** Commands that Redis has carried out so far. */
    abstract long commands();

    @AfterEach
    void stop() {
        instances.forEach(TestInstance::close);
    }

    private TestInstance instance(String name, int fleet) {
        TestInstance made = new TestInstance(TestInstance.settings(name, endpoint(), fleet), database);
        instances.add(made);
        return made;
    }

    @Test
    void twoInstancesShareOneLimit() {
        TestBucket a = instance("a", 2).bucket(orders, limit(3));
        TestBucket b = instance("b", 2).bucket(orders, limit(3));
        a.want(2);
        await().until(() -> a.inUse == 2);
        b.want(2);
        await().until(() -> b.inUse == 1);
        a.busy = false;
        a.done(2);
        await().until(() -> b.inUse == 2);
        assertThat(database.most(orders)).isLessThanOrEqualTo(3);
    }

    @Test
    void aSlotThatComesFreeIsAnnouncedToWhoWaits() {
        TestBucket a = instance("a", 2).bucket(orders, limit(1));
        TestBucket b = instance("b", 2).bucket(orders, limit(1));
        a.want(1);
        await().until(() -> a.inUse == 1);
        b.want(1);
        await().until(() -> b.lease().view().waiting() == 1);
        a.done(1);
        await().atMost(Duration.ofMillis(900)).until(() -> b.inUse == 1);
    }

    @Test
    void idleConnectionsGoToWhoWaits() {
        TestBucket a = instance("a", 2).bucket(orders, limit(3));
        TestBucket b = instance("b", 2).bucket(orders, limit(3));
        a.want(3);
        await().until(() -> a.inUse == 3);
        a.done(3);
        b.want(2);
        await().atMost(Duration.ofSeconds(5)).until(() -> b.inUse == 2);
        assertThat(database.most(orders)).isEqualTo(3);
    }

    @Test
    void whoHasLessThanItsShareGetsItFromWhoHasMore() {
        TestBucket a = instance("a", 2).bucket(orders, limit(4));
        TestBucket b = instance("b", 2).bucket(orders, limit(4));
        a.want(50);
        await().until(() -> a.inUse == 4);
        b.want(50);
        await().until(() -> b.lease().view().waiting() > 0);
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            a.done(1); // clients come and go, but there are always more
            return b.inUse == 2;
        });
        assertThat(database.most(orders)).isEqualTo(4);
        long opened = database.openedInAll(orders);
        for (int i = 0; i < 20; i++) {
            a.done(1);
            b.done(1);
        }
        await().until(() -> a.served + b.served >= 40);
        assertThat(database.openedInAll(orders)).as("slots stay where they are").isLessThanOrEqualTo(opened + 1);
    }

    @Test
    void whoWantsLittleGetsItThoughTheRestDoesNotDivideEvenly() {
        TestBucket a = instance("a", 3).bucket(orders, limit(4));
        TestBucket b = instance("b", 3).bucket(orders, limit(4));
        TestBucket c = instance("c", 3).bucket(orders, limit(4));
        a.want(200);
        await().until(() -> a.inUse == 4);
        b.want(200);
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            a.done(1);
            return b.inUse == 2;
        });
        c.want(1);
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            a.done(1);
            b.done(1);
            return c.inUse == 1;
        });
        assertThat(database.most(orders)).isEqualTo(4);
    }

    @Test
    void freedSlotGoesToWhoHasLessThanItsShareBeforeWhoWaitedLonger() {
        TestBucket a = instance("a", 3).bucket(orders, limit(5));
        TestBucket b = instance("b", 3).bucket(orders, limit(5));
        TestInstance third = instance("c", 3);
        TestBucket c = third.bucket(orders, limit(5));
        a.want(3);
        await().until(() -> a.inUse == 3);
        b.want(1);
        c.want(1);
        await().until(() -> b.inUse == 1 && c.inUse == 1);
        a.want(1);
        await().until(() -> c.lease().view().fleet().stream().anyMatch(h -> h.waiting() == 1));
        b.want(1);
        await().until(() -> b.lease().view().waiting() == 1);
        third.close();
        await().until(() -> b.inUse == 2);
        assertThat(a.inUse).as("what it got it would have to give up").isEqualTo(3);
    }

    @Test
    void requestsCostRedisNothing() {
        TestInstance one = instance("a", 1);
        TestBucket a = one.bucket(orders, limit(2));
        a.busy = false;
        a.want(2);
        await().until(() -> a.served == 2);
        long before = one.leases.operations().total();
        long commandsBefore = commands();
        for (int round = 1; round <= 10; round++) {
            int served = 2 + 500 * round;
            a.want(500);
            await().until(() -> a.served == served);
        }
        long heartbeats = one.leases.operations().total() - before;
        // Each call is an EVALSHA with the few commands of its script; a quick run has none, a slow one its heartbeats.
        assertThat(heartbeats).isLessThan(20);
        assertThat(commands() - commandsBefore).isLessThan(20 * 8 + 10);
    }

    @Test
    void whoStandsInLineDoesNotTellRedisOfEveryRequest() {
        TestInstance one = instance("a", 2);
        TestBucket a = one.bucket(orders, limit(2));
        TestBucket b = instance("b", 2).bucket(orders, limit(2));
        b.want(1);
        await().until(() -> b.inUse == 1);
        a.want(1);
        await().until(() -> a.inUse == 1);
        long before = one.leases.operations().total();
        long begun = System.nanoTime();
        for (int i = 0; i < 50; i++) {
            a.want(1);
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> a.lease().view().waiting() == 1);
            a.done(1);
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> a.lease().view().waiting() == 0);
        }
        long tenths = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 100;
        assertThat(one.leases.operations().total() - before).isLessThanOrEqualTo(2 * tenths + 5);
    }

    @Test
    void twentySlotsAreAskedForInOneCall() {
        TestInstance one = instance("a", 1);
        TestBucket a = one.bucket(orders, limit(20));
        await().until(() -> a.lease().view().limit() == 20);
        long before = one.leases.operations().of(LeaseOperations.Operation.ACQUIRE, LeaseOperations.Outcome.OK);
        a.want(20);
        await().until(() -> a.inUse == 20);
        assertThat(one.leases.operations().of(LeaseOperations.Operation.ACQUIRE, LeaseOperations.Outcome.OK))
                .isEqualTo(before + 1);
    }

    @Test
    void lowestLimitRulesAndTheDifferenceIsSeen() {
        TestBucket a = instance("a", 2).bucket(orders, limit(5));
        TestBucket b = instance("b", 2).bucket(orders, limit(2));
        await().until(() -> a.lease().view().fleet().size() == 2);
        a.want(5);
        await().until(() -> a.inUse == 2);
        assertThat(a.lease().view().isLimitDisputed()).isTrue();
        assertThat(a.lease().view().limit()).isEqualTo(2);
        b.reconfigure(limit(5));
        await().atMost(Duration.ofSeconds(5)).until(() -> a.inUse == 5);
        await().until(() -> !a.lease().view().isLimitDisputed());
    }

    @Test
    void loweredLimitIsComeDownTo() {
        TestBucket a = instance("a", 2).bucket(orders, limit(4));
        TestBucket b = instance("b", 2).bucket(orders, limit(4));
        a.want(2);
        b.want(2);
        await().until(() -> a.inUse == 2 && b.inUse == 2);
        a.done(2);
        b.done(2);
        b.reconfigure(limit(2));
        await().atMost(Duration.ofSeconds(5)).until(() -> database.open(orders) <= 2);
    }

    @Test
    void connectRateIsTheFleets() {
        var slow = TestInstance.limit(20)
                .but()
                .connectRate(new ConnectRateSettings(20, 2))
                .build();
        TestBucket a = seldomBeating("a").bucket(orders, slow);
        await().until(() -> a.lease().view().fleet().size() == 1);
        TestBucket b = seldomBeating("b").bucket(orders, slow);
        await().until(() -> b.lease().view().fleet().size() == 2);
        long start = System.nanoTime();
        a.want(10);
        b.want(10);
        await().until(() -> a.inUse == 10 && b.inUse == 10);
        // Two at once, then one in 50 ms, together: 18 more take 900 ms. Each for itself they would take 400.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(850));
    }

    /** What is due earlier does not wait for its heartbeat, which does not come while the test runs. */
    private TestInstance seldomBeating(String name) {
        TestInstance made = new TestInstance(
                new LeaseSettings(name, endpoint(), Duration.ofSeconds(40), Duration.ofSeconds(100), true, 2),
                database);
        instances.add(made);
        return made;
    }

    @Test
    void instanceThatLeavesGivesItsSlotsBackAtOnce() {
        TestInstance first = instance("a", 2);
        TestBucket a = first.bucket(orders, limit(2));
        TestBucket b = instance("b", 2).bucket(orders, limit(2));
        a.want(2);
        await().until(() -> a.inUse == 2);
        b.want(2);
        await().until(() -> b.lease().view().waiting() == 2);
        first.close();
        await().atMost(TestInstance.TTL.minusMillis(500)).until(() -> b.inUse == 2);
        await().until(() -> b.lease().view().fleet().size() == 1);
    }
}
