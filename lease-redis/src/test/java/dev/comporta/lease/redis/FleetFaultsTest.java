package dev.comporta.lease.redis;

import static dev.comporta.lease.redis.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseView;
import dev.comporta.lease.redis.testkit.CutOffRelay;
import dev.comporta.lease.redis.testkit.RedisProcess;
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

/** Everything dies in turn. What the database counts is what counts. */
class FleetFaultsTest {
    /** Several leases of those that end here; and well within one of those that don't. */
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

    private TestInstance instance(String name, RedisEndpoint at, Duration timeToLive, LeaseClock clock) {
        TestInstance made = new TestInstance(TestInstance.settings(name, at, 2, timeToLive), database, clock);
        instances.add(made);
        return made;
    }

    /** Its lease does not end while the test runs. */
    private TestInstance instance(String name) {
        return instance(name, redis.endpoint(), TestInstance.LONG, new LeaseClock());
    }

    /** Its lease ends soon after it was last heard of. */
    private TestInstance mortal(String name) {
        return instance(name, redis.endpoint(), TestInstance.SHORT, new LeaseClock());
    }

    private static LeaseView.Standing standing(TestBucket bucket) {
        return bucket.lease().view().standing();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(SOON).until(condition);
    }

    @Test
    void slotsOfAnInstanceThatDiedAreBackAfterItsTimeToLive() throws Exception {
        TestInstance first = mortal("a");
        TestBucket a = first.bucket(ORDERS, limit(3));
        TestBucket b = mortal("b").bucket(ORDERS, limit(3));
        a.want(3);
        await(() -> a.inUse == 3);
        b.want(3);
        await(() -> b.lease().view().waiting() == 3);
        first.crash();
        await(() -> b.inUse == 3);
        assertThat(database.most(ORDERS)).isEqualTo(3);
    }

    @Test
    void instanceThatStartsAgainUnderItsNameHasItsSlotsBackAtOnce() throws Exception {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(3));
        instance("b").bucket(ORDERS, limit(3));
        a.want(3);
        await(() -> a.inUse == 3);
        first.crash();
        TestBucket again = instance("a").bucket(ORDERS, limit(3));
        again.want(3);
        await(() -> again.inUse == 3);
        assertThat(database.most(ORDERS)).isEqualTo(3);
    }

    @Test
    void pausedInstanceUsesNothingAfterItsLeaseEnded() {
        TestInstance first = mortal("a");
        TestBucket a = first.bucket(ORDERS, limit(2));
        TestBucket b = mortal("b").bucket(ORDERS, limit(2));
        a.want(2);
        await(() -> a.inUse == 2);
        a.done(2);
        await(() -> a.inUse == 0);
        first.pause();
        a.want(2); // heard when it wakes
        b.want(2);
        await(() -> b.inUse == 2);
        int servedBefore = a.served;
        first.wake();
        await(() -> a.lease().view().waiting() == 2);
        assertThat(a.served)
                .as("no client got one of the connections that were over")
                .isEqualTo(servedBefore);
        await(() -> database.open(ORDERS) == 2);
        b.done(2);
        await(() -> a.inUse == 2);
    }

    @Test
    void connectionsInUseBeyondTheirLeaseAreCountedAndTheOthersComeDownByAsMany() {
        TestInstance first = mortal("a");
        TestBucket a = first.bucket(ORDERS, limit(4));
        TestBucket b = mortal("b").bucket(ORDERS, limit(4));
        a.want(2);
        await(() -> a.inUse == 2);
        first.pause();
        b.want(6);
        await(() -> b.inUse == 4);
        first.wake();
        await(() -> b.demanded() == 2);
        b.done(2);
        await(() -> database.open(ORDERS) == 4);
        assertThat(a.inUse).as("a's clients go on").isEqualTo(2);
        await(() -> b.lease().view().waiting() == 2); // b's have to wait
        a.done(2);
        await(() -> b.inUse == 4);
        assertThat(database.open(ORDERS)).isEqualTo(4);
    }

    @Test
    void redisThatIsRestartedEmptyIsToldWhatEveryoneHas() throws Exception {
        TestBucket a = instance("a").bucket(ORDERS, limit(4));
        TestBucket b = instance("b").bucket(ORDERS, limit(4));
        a.want(2);
        b.want(1);
        await(() -> a.inUse == 2 && b.inUse == 1);
        redis.stop();
        b.want(5);
        redis.startEmpty();
        await(() -> b.inUse == 2);
        assertThat(a.inUse).isEqualTo(2);
        a.done(2);
        await(() -> b.inUse == 4);
        assertThat(database.most(ORDERS)).isEqualTo(4);
    }

    @Test
    void withoutRedisEveryoneComesDownToItsShareBeforeAnyoneGrowsToIt() throws Exception {
        TestClock clock = new TestClock();
        TestBucket a = instance("a", redis.endpoint(), TestInstance.LONG, clock.forLeases())
                .bucket(ORDERS, limit(4));
        TestBucket b = instance("b", redis.endpoint(), TestInstance.LONG, clock.forLeases())
                .bucket(ORDERS, limit(4));
        a.want(3);
        b.want(1);
        await(() -> a.inUse == 3 && b.inUse == 1);
        a.done(3);
        await(() -> a.inUse == 0);
        clock.stop();
        redis.stop();
        b.want(3);
        clock.pass(TestInstance.INTERVAL); // for a heartbeat, which fails
        await(() -> Stream.of(a, b).allMatch(each -> standing(each) == LeaseView.Standing.TROUBLED));
        clock.pass(TestInstance.LONG.multipliedBy(9).dividedBy(10));
        await(() -> Stream.of(a, b).allMatch(each -> standing(each) == LeaseView.Standing.FALLBACK));
        await(() -> database.open(ORDERS) == 3);
        assertThat(b.lease().view().held())
                .as("others may not have come down yet")
                .isEqualTo(1);
        clock.pass(TestInstance.LONG.dividedBy(10));
        clock.go(); // connections are opened one after the other
        await(() -> b.inUse == 2);
        assertThat(database.most(ORDERS)).isEqualTo(4);
        redis.startEmpty();
        await(() -> b.inUse == 4);
        assertThat(database.most(ORDERS)).isEqualTo(4);
    }

    @Test
    void instanceThatIsCutOffAddsNoMoreThanItsShare() throws Exception {
        try (CutOffRelay relay = new CutOffRelay(redis.port())) {
            RedisEndpoint cut = RedisEndpoint.standalone("127.0.0.1", relay.port());
            TestBucket a =
                    instance("a", cut, TestInstance.SHORT, new LeaseClock()).bucket(ORDERS, limit(4));
            TestBucket b = mortal("b").bucket(ORDERS, limit(4));
            a.want(3);
            await(() -> a.inUse == 3);
            a.done(3);
            await(() -> a.inUse == 0);
            relay.cut();
            b.want(4);
            await(() -> b.inUse == 4);
            await(() -> standing(a) == LeaseView.Standing.FALLBACK);
            await(() -> database.open(ORDERS) <= 6);
            relay.mend();
            await(() -> database.open(ORDERS) == 4);
            a.want(1);
            b.done(1);
            await(() -> a.inUse == 1);
            assertThat(database.most(ORDERS)).isLessThanOrEqualTo(4 + 3);
        }
    }
}
