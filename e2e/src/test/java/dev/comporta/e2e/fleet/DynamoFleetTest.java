package dev.comporta.e2e.fleet;

import static dev.comporta.e2e.fleet.FleetOfProcesses.TTL;
import static dev.comporta.e2e.fleet.FleetOfProcesses.awaitSince;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.comporta.lease.dynamodb.testkit.DynamoProcess;
import dev.comporta.standin.control.SessionRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Instances that share their slots through DynamoDB, by the database's count. One fleet goes through all of it. */
class DynamoFleetTest {
    private static final int LIMIT = 6;

    /** What a slot may take to come back beyond its time to live: beats are read once a second. */
    private static final Duration A_FEW_MOMENTS = Duration.ofSeconds(10);

    @RegisterExtension
    static final Seed SEED = Seed.fixed();

    @TempDir
    private Path directory;

    private record WayToDynamo(DynamoProcess dynamo) implements WayToStore {
        @Override
        public String section() {
            return "dynamodb";
        }

        @Override
        public String settingsFor(String instance) {
            return "table: fleet, region: " + DynamoProcess.REGION + ", endpoint: \"" + dynamo.uri() + "\"";
        }

        @Override
        public Map<String, String> environment() {
            return DynamoProcess.CREDENTIALS;
        }
    }

    @Test
    void limitHoldsWhoeverDiesOrFreezesAndWhileDynamoDbIsGone() throws Exception {
        try (DynamoProcess dynamo = new DynamoProcess();
                ServedBucket orders = new ServedBucket("orders", LIMIT);
                FleetOfProcesses fleet = new FleetOfProcesses(directory, new WayToDynamo(dynamo), orders)) {
            List<ProxyProcess> all = fleet.three();
            AllSlots.take(orders, all, TTL.plus(A_FEW_MOMENTS)).close();
            whatAKilledInstanceHadComesBack(orders, all);
            whatAFrozenInstanceHadComesBackAndItClosesItsConnections(orders, fleet.three());
            noSlotIsLostWhenTheTableIs(orders, fleet.three(), dynamo);
        }
    }

    private static void whatAKilledInstanceHadComesBack(ServedBucket orders, List<ProxyProcess> all) throws Exception {
        LimitWatch watch = new LimitWatch(orders, all);
        ProxyProcess killed = all.getFirst();
        killed.kill();
        AllSlots.takeWhenReconciled(orders, all.subList(1, all.size()), TTL.plus(A_FEW_MOMENTS))
                .close();
        watch.verify(0, Set.of(killed));
    }

    private static void whatAFrozenInstanceHadComesBackAndItClosesItsConnections(
            ServedBucket orders, List<ProxyProcess> all) throws Exception {
        ProxyProcess frozen = all.getLast();
        List<ProxyProcess> others = all.subList(0, all.size() - 1);
        AllSlots.take(orders, all, TTL.plus(A_FEW_MOMENTS)).close();
        LimitWatch watch = new LimitWatch(orders, all);
        frozen.freeze();
        long frozenAt = System.nanoTime();
        List<SessionRecord> old = orders.sessionsOf(frozen);
        try (AllSlots _ = AllSlots.take(orders, others, TTL.plus(A_FEW_MOMENTS))) {
            awaitSince("its time to live", frozenAt, TTL);
            frozen.thaw();
            await("it closes what is over")
                    .atMost(A_FEW_MOMENTS)
                    .untilAsserted(() -> assertThat(orders.sessions()).doesNotContainAnyElementsOf(old));
            assertThat(orders.openSessions()).isEqualTo(LIMIT);
        }
        watch.verify(old.size(), Set.of(frozen));
    }

    private static void noSlotIsLostWhenTheTableIs(ServedBucket orders, List<ProxyProcess> all, DynamoProcess dynamo)
            throws Exception {
        // More clients than slots, so that an instance that thought itself alone would open more than its share.
        try (MixedLoad load = new MixedLoad(orders, all, LIMIT, SEED.chance("load")).awaitEveryoneWorks()) {
            for (ProxyProcess instance : all) {
                await(instance + " has its share")
                        .atMost(A_FEW_MOMENTS)
                        .untilAsserted(
                                () -> assertThat(orders.sessionsOf(instance)).hasSize(LIMIT / all.size()));
            }
            LimitWatch watch = new LimitWatch(orders, all);
            dynamo.kill();
            long goneAt = System.nanoTime();
            for (ProxyProcess instance : all) {
                await(instance + " notices").atMost(A_FEW_MOMENTS).until(instance::isDegraded);
            }
            awaitSince("leases end", goneAt, TTL);
            for (ProxyProcess instance : all) {
                load.awaitProgress(instance, A_FEW_MOMENTS);
            }
            dynamo.startEmpty();
            AllSlots.takeWhenReconciled(orders, all, TTL.multipliedBy(2).plus(A_FEW_MOMENTS))
                    .close();
            for (ProxyProcess instance : all) {
                await(instance + " is in touch").atMost(A_FEW_MOMENTS).until(() -> !instance.isDegraded());
            }
            load.stop();
            assertThat(load.failures()).isEmpty();
            load.verifyCommits(all.getFirst());
            watch.verify(0, Set.of());
        }
    }
}
