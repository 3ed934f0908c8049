package dev.comporta.lease.suite;

import static dev.comporta.lease.suite.FleetMember.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseClock;
import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.lease.store.LeaseStore;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What several instances do together while nothing goes wrong, whatever the store. */
public abstract class LeasesSuite {
    /** Well within a lease: what is waited for does not come from one that ended. */
    private static final Duration SOON = FleetMember.LONG.minusSeconds(10);

    private static final AtomicInteger BUCKETS = new AtomicInteger();

    private final Database database = new Database();
    private final List<FleetMember> instances = new ArrayList<>();
    private final String orders = "orders-" + BUCKETS.incrementAndGet();

    protected abstract LeaseStore connect(LeaseSettings settings, LeaseClock clock);

    /** Commands or requests that the store has carried out so far. */
    protected abstract long commands();

    /** Whether an announcement about this bucket would reach the instance now. */
    protected abstract boolean isListening(LeaseStore store, String bucket);

    @AfterEach
    void stop() {
        instances.forEach(FleetMember::close);
    }

    private FleetMember instance(String name, int fleet) {
        return instance(FleetMember.settings(name, fleet, FleetMember.LONG), new LeaseClock());
    }

    private FleetMember instance(LeaseSettings settings, LeaseClock clock) {
        FleetMember made = new FleetMember(settings, connect(settings, clock), database, clock);
        instances.add(made);
        return made;
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(SOON).until(condition);
    }

    /** Whether the store knows it, as it told this one: what an instance says of itself it may not have told anyone. */
    private static boolean isInLine(TestBucket told, String instance, int waiting) {
        return told.lease().view().fleet().stream()
                .anyMatch(h -> h.instance().equals(instance) && h.waiting() == waiting);
    }

    @Test
    void twoInstancesShareOneLimit() {
        TestBucket a = instance("a", 2).bucket(orders, limit(3));
        TestBucket b = instance("b", 2).bucket(orders, limit(3));
        a.want(2);
        await(() -> a.inUse == 2);
        b.want(2);
        await(() -> b.inUse == 1);
        a.busy = false;
        a.done(2);
        await(() -> b.inUse == 2);
        assertThat(database.most(orders)).isLessThanOrEqualTo(3);
    }

    @Test
    void aSlotThatComesFreeIsAnnouncedToWhoWaits() {
        TestClock clock = new TestClock();
        TestBucket a = instance("a", 2).bucket(orders, limit(1));
        FleetMember second = instance(FleetMember.settings("b", 2, FleetMember.LONG), clock.forLeases());
        TestBucket b = second.bucket(orders, limit(1));
        a.want(1);
        await(() -> a.inUse == 1);
        b.want(1);
        await(() -> isInLine(a, "b", 1) && isListening(second.store, orders));
        clock.stop(); // it is never time to ask again
        a.done(1);
        await(() -> b.inUse == 1);
    }

    @Test
    void idleConnectionsGoToWhoWaits() {
        TestBucket a = instance("a", 2).bucket(orders, limit(3));
        TestBucket b = instance("b", 2).bucket(orders, limit(3));
        a.want(3);
        await(() -> a.inUse == 3);
        a.done(3);
        b.want(2);
        await(() -> b.inUse == 2);
        assertThat(database.most(orders)).isEqualTo(3);
    }

    @Test
    void whoHasLessThanItsShareGetsItFromWhoHasMore() {
        TestBucket a = instance("a", 2).bucket(orders, limit(4));
        TestBucket b = instance("b", 2).bucket(orders, limit(4));
        a.want(50);
        await(() -> a.inUse == 4);
        b.want(50);
        await(() -> b.lease().view().waiting() > 0);
        await(() -> {
            a.done(1); // clients come and go, but there are always more
            a.want(1);
            return b.inUse == 2;
        });
        assertThat(database.most(orders)).isEqualTo(4);
        long opened = database.openedInAll(orders);
        int served = a.served + b.served;
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> {
            a.done(1); // nobody, if a slot is on its way
            b.done(1);
            return a.served + b.served >= served + 40;
        });
        assertThat(database.openedInAll(orders)).as("slots stay where they are").isLessThanOrEqualTo(opened + 1);
    }

    @Test
    void whoWantsLittleGetsItThoughTheRestDoesNotDivideEvenly() {
        TestBucket a = instance("a", 3).bucket(orders, limit(4));
        TestBucket b = instance("b", 3).bucket(orders, limit(4));
        TestBucket c = instance("c", 3).bucket(orders, limit(4));
        a.want(200);
        await(() -> a.inUse == 4);
        b.want(200);
        await(() -> {
            a.done(1);
            a.want(1);
            return b.inUse == 2;
        });
        c.want(1);
        await(() -> {
            a.done(1);
            a.want(1);
            b.done(1);
            b.want(1);
            return c.inUse == 1;
        });
        assertThat(database.most(orders)).isEqualTo(4);
    }

    @Test
    void freedSlotGoesToWhoHasLessThanItsShareBeforeWhoWaitedLonger() {
        TestBucket a = instance("a", 3).bucket(orders, limit(5));
        TestBucket b = instance("b", 3).bucket(orders, limit(5));
        FleetMember third = instance("c", 3);
        TestBucket c = third.bucket(orders, limit(5));
        a.want(3);
        await(() -> a.inUse == 3);
        b.want(1);
        c.want(1);
        await(() -> b.inUse == 1 && c.inUse == 1);
        a.want(1);
        await(() -> isInLine(c, "a", 1));
        b.want(1);
        await(() -> isInLine(c, "b", 1));
        third.close();
        await(() -> b.inUse == 2);
        assertThat(a.inUse).as("what it got it would have to give up").isEqualTo(3);
    }

    @Test
    void requestsCostTheStoreNothing() {
        FleetMember one = instance("a", 1);
        TestBucket a = one.bucket(orders, limit(2));
        a.busy = false;
        a.want(2);
        await(() -> a.served == 2);
        long begun = System.nanoTime();
        long before = one.leases.operations().total();
        long commandsBefore = commands();
        for (int round = 1; round <= 10; round++) {
            int served = 2 + 500 * round;
            a.want(500);
            await(() -> a.served == served);
        }
        long calls = one.leases.operations().total() - before;
        long commands = commands() - commandsBefore;
        // However long it took: heartbeats, and one more that was under way when this began or ended.
        long beats = Duration.ofNanos(System.nanoTime() - begun).dividedBy(FleetMember.INTERVAL) + 2;
        assertThat(calls).isLessThanOrEqualTo(beats);
        // Each call is a few commands, those inside of a script included; some more ask for this number.
        assertThat(commands).isLessThan(beats * 8 + 10);
    }

    @Test
    void whoStandsInLineDoesNotTellTheStoreOfEveryRequest() {
        FleetMember one = instance("a", 2);
        TestBucket a = one.bucket(orders, limit(2));
        TestBucket b = instance("b", 2).bucket(orders, limit(2));
        b.want(1);
        await(() -> b.inUse == 1);
        a.want(1);
        await(() -> a.inUse == 1);
        long before = one.leases.operations().total();
        long begun = System.nanoTime();
        for (int i = 0; i < 15; i++) {
            a.want(1);
            awaitWaiting(a, 1);
            a.done(1);
            awaitWaiting(a, 0);
        }
        long tenths = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 100;
        assertThat(one.leases.operations().total() - before).isLessThanOrEqualTo(2 * tenths + 5);
    }

    private static void awaitWaiting(TestBucket bucket, int waiting) {
        Awaitility.await()
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> bucket.lease().view().waiting() == waiting);
    }

    @Test
    void twentySlotsAreAskedForInOneCall() {
        FleetMember one = instance("a", 1);
        TestBucket a = one.bucket(orders, limit(20));
        await(() -> a.lease().view().limit() == 20);
        long before = one.leases.operations().of(LeaseOperations.Operation.ACQUIRE, LeaseOperations.Outcome.OK);
        a.want(20);
        await(() -> a.inUse == 20);
        assertThat(one.leases.operations().of(LeaseOperations.Operation.ACQUIRE, LeaseOperations.Outcome.OK))
                .isEqualTo(before + 1);
    }

    @Test
    void lowestLimitRulesAndTheDifferenceIsSeen() {
        TestBucket a = instance("a", 2).bucket(orders, limit(5));
        TestBucket b = instance("b", 2).bucket(orders, limit(2));
        await(() -> a.lease().view().fleet().size() == 2);
        a.want(5);
        await(() -> a.inUse == 2 && isInLine(b, "a", 3)); // the others wait
        assertThat(database.most(orders)).isEqualTo(2);
        assertThat(a.lease().view().isLimitDisputed()).isTrue();
        assertThat(a.lease().view().limit()).isEqualTo(2);
        b.reconfigure(limit(5));
        await(() -> a.inUse == 5);
        await(() -> !a.lease().view().isLimitDisputed());
    }

    @Test
    void loweredLimitIsComeDownTo() {
        TestBucket a = instance("a", 2).bucket(orders, limit(4));
        TestBucket b = instance("b", 2).bucket(orders, limit(4));
        a.want(2);
        b.want(2);
        await(() -> a.inUse == 2 && b.inUse == 2);
        a.done(2);
        b.done(2);
        b.reconfigure(limit(2));
        await(() -> database.open(orders) <= 2);
    }

    @Test
    void connectRateIsTheFleets() {
        var slow = FleetMember.limit(20)
                .but()
                .connectRate(new ConnectRateSettings(20, 2))
                .build();
        TestBucket a = seldomBeating("a").bucket(orders, slow);
        await(() -> a.lease().view().fleet().size() == 1);
        TestBucket b = seldomBeating("b").bucket(orders, slow);
        await(() -> b.lease().view().fleet().size() == 2);
        long start = System.nanoTime();
        a.want(10);
        b.want(10);
        await(() -> a.inUse == 10 && b.inUse == 10);
        // Two at once, then one in 50 ms, together: 18 more take 900 ms. Each for itself they would take 400.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(850));
    }

    private static final int RATE = 40;
    private static final int BURST = 20;
    private static final Duration COUNTS = Duration.ofMillis(1050);

    /** All start at once, and want more than a second's connects. */
    @Test
    void noSecondHasMoreConnectsOfTheFleetThanTheRate() {
        int each = 25;
        List<TestBucket> all = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            FleetMember member = instance(name, 3);
            await(() -> !member.store.isConnecting());
            all.add(member.bucket(
                    orders,
                    limit(3 * each)
                            .but()
                            .connectRate(new ConnectRateSettings(RATE, BURST))
                            .build()));
        }
        all.forEach(bucket -> bucket.want(each));
        await(() -> all.stream().allMatch(bucket -> bucket.inUse == each));
        assertThat(database.openedInAll(orders)).isEqualTo(3L * each);
        assertThat(database.mostOpenedWithin(orders, Duration.ofSeconds(1)))
                .as("within a second")
                .isLessThanOrEqualTo(RATE);
    }

    /** An ask for permits: the store decided at some time between these two. */
    private record Ask(LeaseStore by, long askedAt, long answeredAt, ConnectPermits answer) {
        static Ask of(LeaseStore store, String bucket, int wanted) {
            long askedAt = System.nanoTime();
            ConnectPermits answer = store.connects(bucket, wanted, new ConnectRateSettings(RATE, BURST), COUNTS)
                    .toCompletableFuture()
                    .join();
            return new Ask(store, askedAt, System.nanoTime(), answer);
        }
    }

    /** Two instances ask without a pause until two seconds' connects and the burst are granted. */
    private List<Ask> askConstantly() {
        List<FleetMember> both = List.of(instance("a", 2), instance("b", 2));
        await(() -> both.stream().noneMatch(member -> member.store.isConnecting()));
        List<Ask> asks = new ArrayList<>();
        int granted = 0;
        for (int i = 0; granted < 2 * RATE + BURST; i++) {
            Ask ask = Ask.of(both.get(i % 2).store, orders, 1 + i % 3);
            asks.add(ask);
            granted += ask.answer.granted();
        }
        return asks;
    }

    @Test
    void noMoreConnectsCountAtATimeThanTheRateHasForASecond() {
        List<Ask> granted =
                askConstantly().stream().filter(ask -> ask.answer.granted() > 0).toList();
        for (int first = 0; first < granted.size(); first++) {
            int sum = 0;
            for (Ask ask : granted.subList(first, granted.size())) {
                if (ask.answeredAt - granted.get(first).askedAt < COUNTS.toNanos()) {
                    sum += ask.answer.granted();
                }
            }
            assertThat(sum).as("from the ask %d on", first).isLessThanOrEqualTo(RATE);
        }
    }

    @Test
    void connectsAreNotGrantedBeforeTheStoreSaid() {
        List<Ask> asks = askConstantly();
        int early = 0;
        for (int i = 0; i < asks.size(); i++) {
            Ask said = asks.get(i);
            // By a millisecond at most its answer is rounded up. With a grant, what it said before holds no more.
            long earliest = Duration.ofMillis(said.answer.retryInMillis() - 1).toNanos();
            for (int j = i + 1; j < asks.size() && said.answer.granted() == 0; j++) {
                Ask next = asks.get(j);
                if (next.by.equals(said.by) && next.answeredAt - said.askedAt < earliest) {
                    early++;
                    assertThat(next.answer.granted())
                            .as("ask %d, earlier than ask %d was told", j, i)
                            .isZero();
                }
                if (next.answer.granted() > 0) {
                    break;
                }
            }
        }
        assertThat(early).as("asks that came too early").isPositive();
    }

    @Test
    void connectsAreGrantedWhenTheStoreSaid() {
        FleetMember one = instance("a", 1);
        await(() -> !one.store.isConnecting());
        for (int round = 0; round < 3; round++) {
            Ask ask = Ask.of(one.store, orders, RATE);
            while (ask.answer.granted() > 0) {
                ask = Ask.of(one.store, orders, RATE);
            }
            Ask refused = ask;
            long retry = Duration.ofMillis(refused.answer.retryInMillis()).toNanos();
            await(() -> System.nanoTime() - refused.answeredAt >= retry);
            assertThat(Ask.of(one.store, orders, 1).answer.granted())
                    .as("after %s", refused.answer)
                    .isEqualTo(1);
        }
    }

    @Test
    void connectsThatCountLongerAreWaitedForLonger() {
        FleetMember one = instance("a", 1);
        await(() -> !one.store.isConnecting());
        ConnectRateSettings rate = new ConnectRateSettings(5, 5);
        ConnectPermits first = one.store
                .connects(orders, 5, rate, Duration.ofSeconds(20))
                .toCompletableFuture()
                .join();
        assertThat(first.granted()).isEqualTo(5);
        assertThat(first.retryInMillis()).isBetween(19_000L, 20_010L);
        assertThat(first.ageNanos()).isPositive();
        ConnectPermits second = one.store
                .connects(orders, 1, new ConnectRateSettings(100, 200), COUNTS)
                .toCompletableFuture()
                .join();
        assertThat(second.granted()).as("of a raised rate").isEqualTo(1);
    }

    /** What is due earlier does not wait for its heartbeat, which does not come while the test runs. */
    private FleetMember seldomBeating(String name) {
        return instance(new LeaseSettings(name, SOON.multipliedBy(2), SOON.multipliedBy(5), true, 2), new LeaseClock());
    }

    @Test
    void instanceThatLeavesGivesItsSlotsBackAtOnce() {
        FleetMember first = instance("a", 2);
        TestBucket a = first.bucket(orders, limit(2));
        TestBucket b = instance("b", 2).bucket(orders, limit(2));
        a.want(2);
        await(() -> a.inUse == 2);
        b.want(2);
        await(() -> isInLine(a, "b", 2));
        first.close();
        await(() -> b.inUse == 2);
        await(() -> b.lease().view().fleet().size() == 1);
    }

    /** A server counts sessions that it has not ended: their slots expire with the lease, in case the instance is gone by then. */
    @Test
    void instanceThatLeavesKeepsTheSlotsOfSessionsThatItsServerHasNotEnded() {
        FleetMember first = instance("a", 2);
        TestBucket a = first.bucket(orders, limit(3));
        TestBucket b = instance("b", 2).bucket(orders, limit(3));
        a.want(3);
        await(() -> a.inUse == 3);
        a.done(1);
        await(() -> a.inUse == 2);
        a.sessionsLinger = true;
        first.close();
        b.want(1); // and hears of the fleet
        await(() -> isInLine(b, "b", 1));
        assertThat(b.lease().view().fleet())
                .anyMatch(holder -> holder.instance().equals("a") && holder.held() == 3);
    }
}
