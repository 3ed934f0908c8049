package dev.comporta.lease;

import static dev.comporta.lease.TestInstance.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.testkit.CutOffRelay;
import dev.comporta.lease.testkit.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everything dies in turn. What the database counts is what counts. */
class FleetFaultsTest {
    private static final Duration SOON = TestInstance.TTL.plusSeconds(8);
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

    private TestInstance instance(String name, RedisEndpoint at, int fleet) {
        TestInstance made = new TestInstance(TestInstance.settings(name, at, fleet), database);
        instances.add(made);
        return made;
    }

    private TestInstance instance(String name) {
        return instance(name, redis.endpoint(), 2);
    }

    @Test
    void slotsOfAnInstanceThatDiedAreBackAfterItsTimeToLive() throws Exception {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(3));
        TestBucket b = instance("b").bucket(ORDERS, limit(3));
        a.want(3);
        await().until(() -> a.inUse == 3);
        b.want(3);
        await().until(() -> b.lease().view().waiting() == 3);
        first.crash();
        await().atMost(SOON).until(() -> b.inUse == 3);
        assertThat(database.most(ORDERS)).isEqualTo(3);
    }

    @Test
    void instanceThatStartsAgainUnderItsNameHasItsSlotsBackAtOnce() throws Exception {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(3));
        instance("b").bucket(ORDERS, limit(3));
        a.want(3);
        await().until(() -> a.inUse == 3);
        first.crash();
        TestBucket again = instance("a").bucket(ORDERS, limit(3));
        again.want(3);
        await().atMost(TestInstance.TTL.minusMillis(500)).until(() -> again.inUse == 3);
        assertThat(database.most(ORDERS)).isEqualTo(3);
    }

    @Test
    void pausedInstanceUsesNothingAfterItsLeaseEnded() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(2));
        TestBucket b = instance("b").bucket(ORDERS, limit(2));
        a.want(2);
        await().until(() -> a.inUse == 2);
        a.done(2);
        await().until(() -> a.inUse == 0);
        first.pause();
        a.want(2); // heard when it wakes
        b.want(2);
        await().atMost(SOON).until(() -> b.inUse == 2);
        int servedBefore = a.served;
        first.wake();
        await().until(() -> a.lease().view().waiting() == 2);
        assertThat(a.served)
                .as("no client got one of the connections that were over")
                .isEqualTo(servedBefore);
        await().until(() -> database.open(ORDERS) == 2);
        b.done(2);
        await().atMost(SOON).until(() -> a.inUse + b.inUse >= 1);
    }

    @Test
    void connectionsInUseBeyondTheirLeaseAreCountedAndTheOthersComeDownByAsMany() {
        TestInstance first = instance("a");
        TestBucket a = first.bucket(ORDERS, limit(4));
        TestBucket b = instance("b").bucket(ORDERS, limit(4));
        a.want(2);
        await().until(() -> a.inUse == 2);
        first.pause();
        b.want(6);
        await().atMost(SOON).until(() -> b.inUse == 4);
        first.wake();
        await().atMost(SOON).until(() -> b.demanded() == 2);
        b.done(2);
        await().until(() -> database.open(ORDERS) == 4);
        assertThat(a.inUse).as("a's clients go on").isEqualTo(2);
        await("b's have to wait").until(() -> b.lease().view().waiting() == 2);
        a.done(2);
        await().atMost(SOON).until(() -> b.inUse == 4);
        assertThat(database.open(ORDERS)).isEqualTo(4);
    }

    @Test
    void redisThatIsRestartedEmptyIsToldWhatEveryoneHas() throws Exception {
        TestBucket a = instance("a").bucket(ORDERS, limit(4));
        TestBucket b = instance("b").bucket(ORDERS, limit(4));
        a.want(2);
        b.want(1);
        await().until(() -> a.inUse == 2 && b.inUse == 1);
        redis.stop();
        b.want(5);
        redis.startEmpty();
        await().atMost(SOON).until(() -> b.inUse == 2);
        assertThat(a.inUse).isEqualTo(2);
        a.done(2);
        await().atMost(SOON).until(() -> b.inUse == 4);
        assertThat(database.most(ORDERS)).isEqualTo(4);
    }

    @Test
    void withoutRedisEveryoneComesDownToItsShareBeforeAnyoneGrowsToIt() throws Exception {
        TestBucket a = instance("a").bucket(ORDERS, limit(4));
        TestBucket b = instance("b").bucket(ORDERS, limit(4));
        a.want(4);
        await().until(() -> a.inUse == 4);
        a.done(4);
        await().until(() -> a.inUse == 0);
        redis.stop();
        b.want(4);
        await().atMost(SOON.multipliedBy(2)).until(() -> b.inUse == 2);
        assertThat(database.most(ORDERS)).isEqualTo(4);
        redis.startEmpty();
        await().atMost(SOON).until(() -> b.inUse == 4);
        assertThat(database.most(ORDERS)).isEqualTo(4);
    }

    @Test
    void instanceThatIsCutOffAddsNoMoreThanItsShare() throws Exception {
        try (CutOffRelay relay = new CutOffRelay(redis.port())) {
            RedisEndpoint cut =
                    RedisEndpoint.standalone("127.0.0.1", relay.port()).withCommandTimeout(Duration.ofMillis(500));
            TestBucket a = instance("a", cut, 2).bucket(ORDERS, limit(4));
            TestBucket b = instance("b").bucket(ORDERS, limit(4));
            a.want(3);
            await().until(() -> a.inUse == 3);
            a.done(3);
            await().until(() -> a.inUse == 0);
            relay.cut();
            b.want(4);
            await().atMost(SOON).until(() -> b.inUse == 4);
            await().atMost(SOON).until(() -> a.lease().view().standing() == LeaseView.Standing.FALLBACK);
            await().atMost(SOON).until(() -> database.open(ORDERS) <= 6);
            relay.mend();
            await().atMost(SOON).until(() -> database.open(ORDERS) == 4);
            a.want(1);
            b.done(1);
            await().atMost(SOON).until(() -> a.inUse == 1);
            assertThat(database.most(ORDERS)).isLessThanOrEqualTo(4 + 3);
        }
    }
}
