package dev.comporta.lease.suite;

import static dev.comporta.lease.suite.FleetMember.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.LeaseView;
import dev.comporta.lease.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Everything dies in turn. What the database counts is what counts. */
public abstract class FaultsSuite {
    /** A way to the store, which can be cut. */
    public interface Way extends AutoCloseable {
        LeaseStore connect(LeaseSettings settings, LeaseClock clock);

        void cut();

        void mend();

        @Override
        void close();
    }

    /** Several leases of those that end here; and well within one of those that don't. */
    private static final Duration SOON = FleetMember.LONG.minusSeconds(10);

    private static final String ORDERS = "orders";

    private final Database database = new Database();
    private final List<FleetMember> instances = new ArrayList<>();
    private final List<Way> ways = new ArrayList<>();

    protected abstract Way newWay();

    protected abstract void stopStore();

    /** It has forgotten everything. */
    protected abstract void startStoreEmpty();

    @AfterEach
    void stop() {
        instances.forEach(FleetMember::close);
        ways.forEach(Way::close);
    }

    private Way way() {
        Way made = newWay();
        ways.add(made);
        return made;
    }

    private FleetMember instance(String name, Way way, Duration timeToLive, LeaseClock clock) {
        LeaseSettings settings = FleetMember.settings(name, 2, timeToLive);
        FleetMember made = new FleetMember(settings, way.connect(settings, clock), database, clock);
        instances.add(made);
        return made;
    }

    /** Its lease does not end while the test runs. */
    private FleetMember instance(String name) {
        return instance(name, way(), FleetMember.LONG, new LeaseClock());
    }

    /** Its lease ends soon after it was last heard of. */
    private FleetMember mortal(String name) {
        return instance(name, way(), FleetMember.SHORT, new LeaseClock());
    }

    private static long heartbeats(FleetMember of) {
        return of.leases.operations().of(LeaseOperations.Operation.HEARTBEAT, LeaseOperations.Outcome.OK);
    }

    private static LeaseView.Standing standing(TestBucket bucket) {
        return bucket.lease().view().standing();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(SOON).until(condition);
    }

    @Test
    void slotsOfAnInstanceThatDiedAreBackAfterItsTimeToLiveAndNotBefore() throws Exception {
        FleetMember first = mortal("a");
        TestBucket a = first.bucket(ORDERS, limit(3));
        TestBucket b = mortal("b").bucket(ORDERS, limit(3));
        a.want(3);
        await(() -> a.inUse == 3);
        b.want(3);
        await(() -> b.lease().view().waiting() == 3);
        long beforeItWasHeardOf = System.nanoTime();
        long heartbeats = heartbeats(first);
        await(() -> heartbeats(first) >= heartbeats + 2); // the first of them may have been under way before
        first.crash();
        await(() -> b.inUse > 0);
        assertThat(Duration.ofNanos(System.nanoTime() - beforeItWasHeardOf)).isGreaterThan(FleetMember.SHORT);
        await(() -> b.inUse == 3);
        assertThat(database.most(ORDERS)).isEqualTo(3);
    }

    @Test
    void instanceThatStartsAgainUnderItsNameHasItsSlotsBackAtOnce() throws Exception {
        FleetMember first = instance("a");
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
        FleetMember first = mortal("a");
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
        FleetMember first = mortal("a");
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
    void storeThatIsEmptyIsToldWhatEveryoneHas() {
        TestBucket a = instance("a").bucket(ORDERS, limit(4));
        TestBucket b = instance("b").bucket(ORDERS, limit(4));
        a.want(2);
        b.want(1);
        await(() -> a.inUse == 2 && b.inUse == 1);
        stopStore();
        b.want(5);
        startStoreEmpty();
        await(() -> b.inUse == 2);
        assertThat(a.inUse).isEqualTo(2);
        a.done(2);
        await(() -> b.inUse == 4);
        assertThat(database.most(ORDERS)).isEqualTo(4);
    }

    @Test
    void withoutTheStoreEveryoneComesDownToItsShareBeforeAnyoneGrowsToIt() throws Exception {
        TestClock clock = new TestClock();
        TestBucket a = instance("a", way(), FleetMember.LONG, clock.forLeases()).bucket(ORDERS, limit(4));
        TestBucket b = instance("b", way(), FleetMember.LONG, clock.forLeases()).bucket(ORDERS, limit(4));
        a.want(3);
        b.want(1);
        await(() -> a.inUse == 3 && b.inUse == 1);
        a.done(3);
        await(() -> a.inUse == 0);
        clock.stop();
        stopStore();
        b.want(3);
        clock.pass(FleetMember.INTERVAL); // for a heartbeat, which fails
        await(() -> Stream.of(a, b).allMatch(each -> standing(each) == LeaseView.Standing.TROUBLED));
        clock.pass(FleetMember.LONG.multipliedBy(9).dividedBy(10));
        await(() -> Stream.of(a, b).allMatch(each -> standing(each) == LeaseView.Standing.FALLBACK));
        await(() -> database.open(ORDERS) == 3);
        assertThat(b.lease().view().held())
                .as("others may not have come down yet")
                .isEqualTo(1);
        clock.pass(FleetMember.LONG.dividedBy(10));
        clock.go(); // connections are opened one after the other
        await(() -> b.inUse == 2);
        assertThat(database.most(ORDERS)).isEqualTo(4);
        startStoreEmpty();
        await(() -> b.inUse == 4);
        assertThat(database.most(ORDERS)).isEqualTo(4);
    }

    @Test
    void instanceThatIsCutOffAddsNoMoreThanItsShare() throws Exception {
        Way relay = way();
        TestBucket a = instance("a", relay, FleetMember.SHORT, new LeaseClock()).bucket(ORDERS, limit(4));
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
        a.want(4);
        await(() -> a.inUse == 2 && a.waiting() == 2);
        assertThat(database.open(ORDERS)).as("the limit, and a's share").isEqualTo(4 + 2);
        relay.mend();
        await(() -> standing(a) == LeaseView.Standing.IN_TOUCH);
        b.done(2);
        await(() -> database.open(ORDERS) == 4);
        assertThat(a.inUse).as("a's clients go on").isEqualTo(2);
        b.done(2);
        await(() -> a.inUse == 4);
        // What a had when it was cut off it may close after b has the slots.
        assertThat(database.most(ORDERS)).isLessThanOrEqualTo(4 + 3);
    }
}
