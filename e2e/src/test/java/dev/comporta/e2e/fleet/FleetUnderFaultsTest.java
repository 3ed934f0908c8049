package dev.comporta.e2e.fleet;

import static dev.comporta.e2e.fleet.FleetOfProcesses.A_MOMENT;
import static dev.comporta.e2e.fleet.FleetOfProcesses.HEARTBEAT;
import static dev.comporta.e2e.fleet.FleetOfProcesses.TTL;
import static dev.comporta.e2e.fleet.FleetOfProcesses.awaitSince;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.redis.testkit.CutOffRelay;
import dev.comporta.standin.control.SessionRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever dies, the database never counts more sessions than it should, and who was not hit notices nothing. One fleet
 * goes through all of it: a scenario leaves it whole, or else the next one starts with a new fleet.
 */
class FleetUnderFaultsTest {
    private static final int CLIENTS_EACH = 10;
    private static final Duration SOON = Duration.ofSeconds(30);

    /** What an instance says when Redis does not answer. */
    private static final String TROUBLE = "cannot lease slots from the fleet";

    @RegisterExtension
    static final Seed SEED = Seed.fixed();

    @RegisterExtension
    static final TestWatcher LEAVES_NOTHING_BROKEN = new TestWatcher() {
        @Override
        public void testFailed(ExtensionContext test, Throwable cause) {
            stopFleet();
        }
    };

    @TempDir
    private static Path directory;

    private static StandingFleet standing;

    private ServedBucket orders;
    private OneRedis redis;
    private FleetOfProcesses fleet;
    private List<ProxyProcess> all;
    private Random chance;
    private LimitWatch watch;

    @BeforeEach
    void startWhatIsMissing(TestInfo test) throws Exception {
        if (standing == null) {
            standing = new StandingFleet(directory);
        }
        orders = standing.orders;
        redis = standing.redis;
        fleet = standing.fleet;
        all = fleet.three();
        chance = SEED.chance(test.getDisplayName());
    }

    @AfterAll
    static void stopFleet() {
        if (standing != null) {
            standing.close();
            standing = null;
        }
    }

    /** Clients at work through all three instances, for a while that is left to chance. */
    private MixedLoad load() throws Exception {
        MixedLoad load = new MixedLoad(orders, all, CLIENTS_EACH, chance).awaitEveryoneWorks();
        awaitSince("any moment", System.nanoTime(), Duration.ofMillis(chance.nextInt(300)));
        // Else who is struck could be about to get or to lose a slot, and nobody would know what it had.
        await("slots have come to rest").atMost(SOON).until(() -> redis.isSettled(orders, share()));
        watch = new LimitWatch(orders, all);
        return load;
    }

    private ProxyProcess anyone() {
        return all.get(chance.nextInt(all.size()));
    }

    private List<ProxyProcess> allBut(ProxyProcess one) {
        return all.stream().filter(instance -> !instance.equals(one)).toList();
    }

    private int share() {
        return orders.limit / all.size();
    }

    @Test
    void aRequestCostsRedisNothing() throws Exception {
        // Fewer clients than each instance's share, so that every request finds a connection ready.
        int clientsEach = share() - 1;
        ManyRequests requests = new ManyRequests(orders, redis);
        requests.ask(all, clientsEach, 5_000);
        // Besides those that are due: a heartbeat that was under way, and the last word on what was wanted before. And
        // a slot that somebody wanted then may be given up now by one that has no use for it, once.
        long heartbeats = all.size() * (3 + requests.took().dividedBy(HEARTBEAT));
        int spare = orders.limit - all.size() * clientsEach;
        System.out.printf(
                "%d requests in %d ms: %d calls to Redis, at most %d heartbeats%n",
                requests.answered(), requests.took().toMillis(), requests.callsToRedis(), heartbeats);
        assertThat(requests.answered()).isGreaterThanOrEqualTo(5_000);
        assertThat(requests.callsToRedis()).isLessThanOrEqualTo(heartbeats + spare);
        assertThat(redis.calls()).as("calls are counted at all").isPositive();
    }

    @Test
    void whatAKilledInstanceHadIsBackAfterItsTimeToLive() throws Exception {
        try (MixedLoad load = load()) {
            ProxyProcess killed = anyone();
            List<ProxyProcess> survivors = allBut(killed);
            assertThat(orders.sessionsOf(killed)).as("what it had").isNotEmpty();
            killed.kill();
            AllSlots.takeWhenReconciled(orders, survivors, TTL.plus(A_MOMENT)).close();
            for (ProxyProcess survivor : survivors) {
                load.awaitProgress(survivor, SOON);
            }
            load.stop();
            assertThat(load.failuresBeside(killed)).isEmpty();
            load.verifyCommits(survivors.getFirst());
            watch.verify(0, Set.of(killed));
        }
    }

    @Test
    void aFrozenInstanceKeepsItsSocketsAloneAndServesNobodyOnThemWhenItWakes() throws Exception {
        ProxyProcess frozen = anyone();
        try (MixedLoad load = load();
                // Answered while it is frozen: then who waits would be next on these, if the wake went unnoticed.
                LongRequests busy = LongRequests.run(orders, frozen, 2, TTL)) {
            frozen.freezeAtRest(() -> orders.sessionsOf(frozen).stream()
                            .filter(SessionRecord::isBusyOutsideTransaction)
                            .count()
                    >= 2);
            busy.theseAreTheLast();
            long frozenAt = System.nanoTime();
            try (AllSlots _ = AllSlots.take(orders, allBut(frozen), TTL.plus(A_MOMENT))) {
                List<SessionRecord> old = orders.sessionsOf(frozen);
                assertThat(old).isNotEmpty();
                await("everybody else's and the frozen ones")
                        .atMost(SOON)
                        .untilAsserted(() -> assertThat(orders.openSessions()).isEqualTo(orders.limit + old.size()));
                awaitSince("twice its time to live", frozenAt, TTL.multipliedBy(2));
                Map<SessionRecord, Long> asked = old.stream()
                        .collect(Collectors.toMap(Function.identity(), SessionRecord::messagesOutsideTransactions));
                frozen.thaw();
                // By the database's word: what the instance sent before it closed them has arrived then.
                await("it closes what is over")
                        .atMost(SOON)
                        .untilAsserted(() -> assertThat(orders.sessions()).doesNotContainAnyElementsOf(old));
                // A transaction that was open when it froze may end. That is all.
                assertThat(old)
                        .allSatisfy(session -> assertThat(session.messagesOutsideTransactions())
                                .isEqualTo(asked.get(session)));
                assertThat(orders.sessionsOf(frozen)).isEmpty();
                watch.verify(old.size(), Set.of(frozen));
            }
            busy.awaitAnswers();
            load.awaitProgress(frozen, SOON);
            load.stop();
            assertThat(load.failures()).isEmpty();
            load.verifyCommits(frozen);
        }
    }

    @Test
    void redisThatComesBackEmptyIsNotNoticedByClients() throws Exception {
        try (MixedLoad load = load()) {
            restartRedis(load, Duration.ZERO);
            // By then everybody's lease is over.
            restartRedis(load, TTL.plusMillis(chance.nextInt(1000)));
            load.stop();
            assertThat(load.failures()).isEmpty();
            load.verifyCommits(anyone());
            watch.verify(0, Set.of());
        }
    }

    private void restartRedis(MixedLoad load, Duration away) throws Exception {
        redis.server.stop();
        awaitSince("the time it is away", System.nanoTime(), away);
        if (away.compareTo(TTL) > 0) {
            for (ProxyProcess instance : all) {
                load.awaitProgress(instance, SOON);
            }
        }
        redis.server.startEmpty();
        AllSlots.takeWhenReconciled(orders, all, TTL.plus(A_MOMENT)).close();
        for (ProxyProcess instance : all) {
            load.awaitProgress(instance, SOON);
        }
    }

    /** How an instance can lose sight of Redis. */
    enum Partition {
        /** Connections end, new ones are refused. */
        THAT_CLOSES {
            @Override
            void begin(CutOffRelay way) {
                way.cut();
            }
        },
        /** Nothing arrives, nothing ends; then what was held back arrives. */
        THAT_SWALLOWS {
            @Override
            void begin(CutOffRelay way) {
                way.silence();
            }
        },
        /** Nothing arrives, nothing ends; and what was connected is never heard of again. */
        THAT_FORGETS {
            @Override
            void begin(CutOffRelay way) {
                way.silence();
            }

            @Override
            void end(CutOffRelay way) {
                way.mendForNewConnections();
            }
        };

        abstract void begin(CutOffRelay way);

        void end(CutOffRelay way) {
            way.mend();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInstanceThatIsCutOffFromRedisKeepsItsShareAndAddsNoMoreThanThat(Partition partition) throws Exception {
        try (MixedLoad load = load()) {
            ProxyProcess cutOff = anyone();
            int troubles = cutOff.said(TROUBLE).size();
            partition.begin(redis.wayOf(cutOff));
            await("it knows").atMost(SOON).until(() -> cutOff.said(TROUBLE).size() > troubles);
            List<SessionRecord> had = orders.sessionsOf(cutOff);
            assertThat(had).isNotEmpty();
            try (AllSlots _ = AllSlots.take(orders, allBut(cutOff), TTL.plus(A_MOMENT))) {
                await("it comes down to its share")
                        .atMost(SOON)
                        .untilAsserted(
                                () -> assertThat(orders.sessionsOf(cutOff)).hasSizeLessThanOrEqualTo(share()));
                assertThat(orders.sessionsOf(cutOff).stream().filter(had::contains))
                        .as("what it keeps it need not open again")
                        .hasSizeGreaterThanOrEqualTo(Math.min(had.size(), share()));
                load.awaitProgress(cutOff, SOON);
                assertThat(orders.openSessions()).isLessThanOrEqualTo(orders.limit + share());
                assertThat(cutOff.isDegraded()).isTrue();
            }
            partition.end(redis.wayOf(cutOff));
            AllSlots.takeWhenReconciled(orders, all, TTL.plus(A_MOMENT)).close();
            await(cutOff + " is well").atMost(SOON).until(() -> !cutOff.isDegraded());
            load.stop();
            assertThat(load.failures()).isEmpty();
            watch.verify(Math.max(share(), had.size()), Set.of(cutOff));
            load.verifyCommits(cutOff);
        }
    }

    @Test
    void anInstanceThatIsAddedGetsItsShareAndLeavesItToTheOthersWhenItStopsInOrder() throws Exception {
        try (MixedLoad load = load()) {
            ProxyProcess fourth = fleet.start("d");
            load.add(fourth, CLIENTS_EACH);
            await("a quarter for each of four")
                    .atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(orders.sessionsOf(fourth)).hasSizeGreaterThanOrEqualTo(orders.limit / 4));
            load.awaitProgress(fourth, SOON);
            assertThat(redis.hasBooksOf(fourth, orders)).isTrue();
            assertThat(fourth.stopInOrder()).isZero();
            assertThat(redis.hasBooksOf(fourth, orders))
                    .as("nobody has to find out that it is gone")
                    .isFalse();
            AllSlots.takeWhenReconciled(orders, all, A_MOMENT).close();
            load.stop();
            assertThat(load.failuresBeside(fourth)).isEmpty();
            load.verifyCommits(anyone());
            watch.verify(0, Set.of(fourth));
        }
    }

    /** A taste of {@link FleetSoakTest}: the first round of its schedule that has two faults at once. */
    @Test
    void twoFaultsAtOnceAreNoMoreThanTwoFaults() throws Exception {
        FaultSchedule schedule = FaultSchedule.of(chance, 20);
        new Ordeal(standing, chance)
                .undergo(schedule.rounds().stream()
                        .filter(round -> round.strikes().size() == 2)
                        .findFirst()
                        .orElseThrow());
    }
}
