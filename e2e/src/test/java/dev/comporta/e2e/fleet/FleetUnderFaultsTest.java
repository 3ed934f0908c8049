package dev.comporta.e2e.fleet;

import static dev.comporta.e2e.fleet.FleetOfProcesses.LIMIT;
import static dev.comporta.e2e.fleet.FleetOfProcesses.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.testkit.CutOffRelay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever dies, the database never counts more sessions than it should, and who was not hit notices nothing. */
@Timeout(180)
class FleetUnderFaultsTest {
    private static final int CLIENTS_EACH = 10;
    private static final Duration A_MOMENT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    private FleetOfProcesses fleet;

    @BeforeEach
    void startFleet() throws Exception {
        fleet = new FleetOfProcesses(directory);
    }

    @AfterEach
    void stopFleet() throws Exception {
        fleet.close();
    }

    private MixedLoad load(List<ProxyProcess> instances) throws Exception {
        MixedLoad load = new MixedLoad(fleet, instances, CLIENTS_EACH);
        await("everyone works")
                .atMost(Duration.ofSeconds(30))
                .until(() -> instances.stream().allMatch(instance -> load.doneThrough(instance) > CLIENTS_EACH));
        return load;
    }

    /** The load goes on through this instance from now on. */
    private static void awaitProgress(MixedLoad load, ProxyProcess instance, Duration within) {
        long before = load.doneThrough(instance);
        await(instance + " goes on").atMost(within).until(() -> load.doneThrough(instance) > before + CLIENTS_EACH);
    }

    private static void awaitSince(String what, long nanos, Duration time) {
        await(what).atMost(time.multipliedBy(2)).until(() -> System.nanoTime() - nanos > time.toNanos());
    }

    @Test
    void whatAKilledInstanceHadIsBackAfterItsTimeToLive() throws Exception {
        List<ProxyProcess> instances = fleet.start("a", "b", "c");
        try (MixedLoad load = load(instances)) {
            ProxyProcess killed = instances.get(1);
            List<ProxyProcess> survivors = List.of(instances.get(0), instances.get(2));
            killed.kill();
            try (AllSlots _ = AllSlots.take(survivors, TTL.plus(A_MOMENT))) {
                assertThat(fleet.openSessions()).isEqualTo(LIMIT);
            }
            for (ProxyProcess survivor : survivors) {
                awaitProgress(load, survivor, SOON);
            }
            load.stop();
            assertThat(load.failuresBeside(killed)).isEmpty();
            load.verifyCommits(survivors.getFirst());
        }
        assertThat(fleet.mostSessions()).isEqualTo(LIMIT);
    }

    @Test
    void aFrozenInstanceKeepsItsSocketsAloneAndServesNobodyOnThemWhenItWakes() throws Exception {
        List<ProxyProcess> instances = fleet.start("a", "b", "c");
        try (MixedLoad load = load(instances)) {
            ProxyProcess frozen = instances.get(1);
            List<ProxyProcess> others = List.of(instances.get(0), instances.get(2));
            frozen.freeze();
            long frozenAt = System.nanoTime();
            int had = frozen.connectionsTo(fleet.database.port());
            try (AllSlots _ = AllSlots.take(others, TTL.plus(A_MOMENT))) {
                assertThat(fleet.openSessions()).isEqualTo(LIMIT + had);
                awaitSince("twice its time to live", frozenAt, TTL.multipliedBy(2));
                long before = load.doneThrough(frozen);
                frozen.thaw();
                await("it closes what is over")
                        .atMost(A_MOMENT)
                        .untilAsserted(() -> assertThat(fleet.openSessions()).isEqualTo(LIMIT));
                assertThat(frozen.connectionsTo(fleet.database.port())).isZero();
                assertThat(load.doneThrough(frozen) - before)
                        .as("what was attached when it froze may end; nothing is begun, for all slots are taken")
                        .isLessThanOrEqualTo(had);
            }
            awaitProgress(load, frozen, SOON);
            load.stop();
            assertThat(load.failures()).isEmpty();
            assertThat(fleet.mostSessions()).isBetween(LIMIT, LIMIT + had);
            load.verifyCommits(frozen);
        }
    }

    @Test
    void redisThatComesBackEmptyIsNotNoticedByClients() throws Exception {
        List<ProxyProcess> instances = fleet.start("a", "b", "c");
        try (MixedLoad load = load(instances)) {
            fleet.stopRedis();
            awaitSince("everybody's lease is over", System.nanoTime(), TTL.plusSeconds(1));
            for (ProxyProcess instance : instances) {
                awaitProgress(load, instance, SOON);
            }
            fleet.startRedisEmpty();
            try (AllSlots _ = AllSlots.take(instances, TTL.plus(A_MOMENT))) {
                assertThat(fleet.openSessions()).isEqualTo(LIMIT);
            }
            for (ProxyProcess instance : instances) {
                awaitProgress(load, instance, SOON);
            }
            load.stop();
            assertThat(load.failures()).isEmpty();
            load.verifyCommits(instances.getFirst());
        }
        assertThat(fleet.mostSessions()).isEqualTo(LIMIT);
    }

    @Test
    void anInstanceThatIsCutOffFromRedisAddsNoMoreThanItsShareOrWhatItHad() throws Exception {
        try (CutOffRelay relay = new CutOffRelay(fleet.redisPort())) {
            List<ProxyProcess> others = fleet.start("a", "b");
            ProxyProcess cutOff = fleet.startBehind(relay, "c");
            List<ProxyProcess> all = List.of(others.get(0), others.get(1), cutOff);
            try (MixedLoad load = load(all)) {
                relay.cut();
                int had = cutOff.connectionsTo(fleet.database.port());
                int share = LIMIT / all.size();
                try (AllSlots _ = AllSlots.take(others, TTL.plus(A_MOMENT))) {
                    awaitProgress(load, cutOff, SOON);
                    await("it comes down to its share")
                            .atMost(SOON)
                            .untilAsserted(() -> assertThat(cutOff.connectionsTo(fleet.database.port()))
                                    .isLessThanOrEqualTo(share));
                    assertThat(fleet.openSessions()).isLessThanOrEqualTo(LIMIT + share);
                }
                relay.mend();
                await("reconciled")
                        .atMost(SOON)
                        .during(Duration.ofSeconds(1))
                        .until(() -> fleet.openSessions() <= LIMIT);
                try (AllSlots _ = AllSlots.take(all, TTL.plus(A_MOMENT))) {
                    assertThat(fleet.openSessions()).isEqualTo(LIMIT);
                }
                load.stop();
                assertThat(load.failures()).isEmpty();
                assertThat(fleet.mostSessions()).isBetween(LIMIT, LIMIT + Math.max(share, had));
                load.verifyCommits(cutOff);
            }
        }
    }

    @Test
    void anInstanceThatIsAddedGetsItsShare() throws Exception {
        List<ProxyProcess> instances = fleet.start("a", "b", "c");
        try (MixedLoad load = load(instances)) {
            ProxyProcess fourth = fleet.start("d").getFirst();
            load.add(fourth, CLIENTS_EACH);
            await("a quarter for each of four")
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(fourth.connectionsTo(fleet.database.port()))
                            .isGreaterThanOrEqualTo(LIMIT / 4));
            awaitProgress(load, fourth, SOON);
            load.stop();
            assertThat(load.failures()).isEmpty();
            load.verifyCommits(fourth);
        }
        assertThat(fleet.mostSessions()).isEqualTo(LIMIT);
    }

    @Test
    void anInstanceThatStopsInOrderLeavesItsSlotsToTheOthersAtOnce() throws Exception {
        List<ProxyProcess> instances = fleet.start("a", "b", "c");
        try (MixedLoad load = load(instances)) {
            ProxyProcess leaving = instances.get(2);
            List<ProxyProcess> others = instances.subList(0, 2);
            assertThat(leaving.stopInOrder()).isZero();
            // Less than its time to live: nobody had to find out that it is gone.
            try (AllSlots _ = AllSlots.take(others, A_MOMENT)) {
                assertThat(fleet.openSessions()).isEqualTo(LIMIT);
            }
            load.stop();
            assertThat(load.failuresBeside(leaving)).isEmpty();
            load.verifyCommits(others.getFirst());
        }
        assertThat(fleet.mostSessions()).isEqualTo(LIMIT);
    }
}
