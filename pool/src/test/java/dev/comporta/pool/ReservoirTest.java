package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.ReservoirSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReservoirTest {
    private static final Duration LIFE = Duration.ofMinutes(10);

    private static ReservoirSettings reservoir(int target, int low) {
        return new ReservoirSettings(
                target, low, 1, 5, LIFE, Duration.ZERO, Duration.ofSeconds(45), Duration.ofSeconds(30));
    }

    private static BucketSettings.Builder quiet(int max) {
        HealthSettings d = HealthSettings.DEFAULTS;
        return limit(max)
                .maxIdleTime(Duration.ofHours(1))
                .health(new HealthSettings(
                        d.check(),
                        Duration.ZERO,
                        d.timeout(),
                        d.failureThreshold(),
                        d.recoveryThreshold(),
                        d.backoff(),
                        d.maxBackoff()));
    }

    /** A pool that was asked for once, with its stock filled. */
    private static Carrier stocked(BucketSettings.Builder settings) {
        Carrier c = new Carrier(settings);
        c.ask("ana");
        for (int i = 0; i < 20; i++) {
            c.openAll();
        }
        c.release(1);
        c.openAll();
        c.orders();
        return c;
    }

    @Test
    void refillsOneAtATime() {
        Carrier c = new Carrier(quiet(10).reservoir(reservoir(3, 0)));
        c.ask("ana");
        assertThat(c.orders()).as("one for her, one for the stock").containsExactly("open 1 p", "open 2 p");
        c.opened(1);
        assertThat(c.orders()).containsExactly("attach ana 1");
        for (long id = 2; id <= 3; id++) {
            c.opened(id);
            assertThat(c.orders()).containsExactly("open " + (id + 1) + " p");
        }
        c.opened(4);
        assertThat(c.orders()).isEmpty();
        assertThat(c.bucket.snapshot().idle()).isEqualTo(3);
        assertThat(c.bucket.snapshot().refills()).isEqualTo(3);
    }

    @Test
    void refillsFasterBelowTheLowWatermark() {
        Carrier c = new Carrier(quiet(20).reservoir(reservoir(8, 4)));
        c.ask("ana");
        // One for her, five for the stock.
        assertThat(c.orders()).hasSize(6);
        c.openAll();
        assertThat(c.bucket.snapshot().idle()).isEqualTo(5);
        assertThat(c.orders())
                .as("five at a time while there were fewer than four")
                .filteredOn(o -> o.startsWith("open"))
                .containsExactly("open 7 p", "open 8 p", "open 9 p");
    }

    @Test
    void stockIsSharedByDemand() {
        Carrier c = new Carrier(quiet(20).reservoir(reservoir(4, 0)));
        Pool busy = c.bucket.pool("busy", "bob");
        for (int i = 0; i < 6; i++) {
            c.ask("b" + i, busy);
        }
        c.ask("ana");
        c.ask("eve");
        for (int i = 0; i < 30; i++) {
            c.openAll();
        }
        assertThat(c.bucket.snapshot().idle()).isEqualTo(4);
        assertThat(busy.ready()).isEqualTo(3);
        assertThat(c.pool.ready()).isEqualTo(1);
    }

    @Test
    void poolForOneUseIsServedAndNotStocked() {
        Carrier c = new Carrier(quiet(10).reservoir(reservoir(3, 0)));
        Pool single = c.bucket.pool("single", "single");
        single.keepNoStock();
        c.ask("ana", single);
        c.openAll();
        c.openAll();
        assertThat(c.waiter("ana").status()).isEqualTo(Waiter.Status.ATTACHED);
        assertThat(c.bucket.snapshot().connections()).hasSize(1);
    }

    @Test
    void connectionIsNotHandedOutInItsGuardWindow() {
        Carrier c = stocked(quiet(2).reservoir(reservoir(0, 0)));
        c.pass(LIFE.minusSeconds(45));
        c.ask("bob");
        assertThat(c.orders()).containsExactly("close 1 LIFETIME", "open 2 p");
    }

    @Test
    void connectionThatReachesItsGuardWindowInUseEndsWithItsRelease() {
        Carrier c = new Carrier(quiet(2).reservoir(reservoir(0, 0)));
        c.attached("ana");
        c.runFor(LIFE);
        assertThat(c.orders()).isEmpty();
        c.release(1);
        assertThat(c.orders()).containsExactly("close 1 LIFETIME");
    }

    @Test
    void replacementIsReadyBeforeTheOldOneEnds() {
        Carrier c = stocked(quiet(5).reservoir(reservoir(1, 0)));
        c.runFor(LIFE.minusSeconds(76));
        assertThat(c.orders()).isEmpty();
        c.runFor(Duration.ofSeconds(1));
        assertThat(c.orders()).containsExactly("open 3 p");
        c.opened(3);
        assertThat(c.bucket.snapshot().idle()).isEqualTo(3);
        c.runFor(Duration.ofSeconds(30));
        assertThat(c.orders()).containsExactlyInAnyOrder("close 1 LIFETIME", "close 2 LIFETIME");
    }

    @Test
    void withoutASlotForTheReplacementsTheOldOnesGoOneByOne() {
        Carrier c = stocked(quiet(3).reservoir(reservoir(3, 0)));
        assertThat(c.bucket.snapshot().idle()).isEqualTo(3);
        c.runFor(LIFE.minusSeconds(75));
        assertThat(c.orders()).hasSize(1).first().asString().endsWith("LIFETIME");
        assertThat(c.bucket.snapshot().idle()).isEqualTo(2);
    }

    @Test
    void lifetimesAreSpreadByJitter() {
        Carrier c = new Carrier(quiet(50)
                .reservoir(new ReservoirSettings(
                        0, 0, 1, 5, LIFE, Duration.ofMinutes(2), Duration.ofSeconds(45), Duration.ofSeconds(30))));
        for (int i = 0; i < 50; i++) {
            c.ask("c" + i);
        }
        c.openAll();
        long distinct = java.util.stream.LongStream.rangeClosed(1, 50)
                .map(id -> c.connection(id).life.handoutUntil / 1_000_000_000L)
                .distinct()
                .count();
        assertThat(distinct).isGreaterThan(25);
        for (long id = 1; id <= 50; id++) {
            assertThat(c.connection(id).life.handoutUntil)
                    .isBetween(
                            LIFE.minusSeconds(45).toNanos(),
                            LIFE.plusMinutes(2).minusSeconds(45).toNanos());
        }
    }

    @Test
    void connectsAreHeldToTheirRateAfterABurst() {
        Carrier c = new Carrier(quiet(10).connectRate(new ConnectRateSettings(10, 2)));
        for (int i = 0; i < 5; i++) {
            c.ask("c" + i);
        }
        assertThat(c.orders()).containsExactly("open 1 p", "open 2 p");
        c.runFor(Duration.ofMillis(99));
        assertThat(c.orders()).isEmpty();
        c.runFor(Duration.ofMillis(1));
        assertThat(c.orders()).containsExactly("open 3 p");
        c.runFor(Duration.ofMillis(100));
        assertThat(c.orders()).containsExactly("open 4 p");
    }

    @Test
    void idleConnectionsBeyondTheFloorAreClosed() {
        Carrier c = new Carrier(quiet(5).minIdle(1).maxIdleTime(Duration.ofMinutes(5)));
        c.attached("ana", "bob", "eve");
        c.openAll();
        c.release(1);
        c.release(2);
        c.release(3);
        c.orders();
        c.runFor(Duration.ofMinutes(5));
        assertThat(c.orders()).hasSize(3).allMatch(o -> o.endsWith("IDLE"));
        assertThat(c.bucket.snapshot().idle()).isEqualTo(1);
    }

    @Test
    void warmUpOpensConnectionsAtOnceAndTellsWhenTheyAreThere() {
        Carrier c = new Carrier(quiet(5));
        c.bucket.control().warmUp(c.pool, 2, Duration.ofSeconds(10).toNanos(), c.now);
        assertThat(c.orders()).containsExactly("open 1 p", "open 2 p");
        c.opened(1);
        assertThat(c.orders()).isEmpty();
        c.opened(2);
        assertThat(c.orders()).containsExactly("warmed up p 2 of 2");
    }

    @Test
    void warmUpEndsAtItsDeadlineWhateverIsThere() {
        Carrier c = new Carrier(quiet(5));
        c.bucket.control().warmUp(c.pool, 2, Duration.ofSeconds(10).toNanos(), c.now);
        c.opened(1);
        c.orders();
        c.runFor(Duration.ofSeconds(10).minusNanos(1));
        assertThat(c.orders()).noneMatch(order -> order.startsWith("warmed up"));
        c.runFor(Duration.ofNanos(1));
        assertThat(c.orders()).contains("warmed up p 1 of 2");
    }

    @Test
    void warmedUpPoolIsStockedThoughNobodyAsks() {
        Carrier c = new Carrier(quiet(5).minIdle(2));
        c.bucket.control().warmUp(c.pool, 1, Duration.ofSeconds(10).toNanos(), c.now);
        c.openAll();
        c.openAll();
        c.openAll();
        assertThat(c.bucket.snapshot().idle()).isEqualTo(2);
    }

    @Test
    void stockAsksOnceForAllItWants() {
        Carrier c = new Carrier(quiet(9).reservoir(reservoir(5, 5)));
        c.grants = false;
        c.bucket.control().warmUp(c.pool, 1, Duration.ofSeconds(10).toNanos(), c.now);
        assertThat(c.orders()).containsExactly("ask 5 AT_ONCE");
    }

    @Test
    void raisedConnectRateHoldsAtOnce() {
        Carrier c = new Carrier(quiet(50).connectRate(new ConnectRateSettings(20, 20)));
        for (int i = 0; i < 21; i++) {
            c.ask("client" + i);
        }
        assertThat(c.orders()).hasSize(20);
        c.bucket
                .control()
                .reconfigure(
                        quiet(50).connectRate(new ConnectRateSettings(100, 1)).build(), c.now);
        c.runFor(Duration.ofMillis(25));
        assertThat(c.orders()).containsExactly("open 21 p");
    }

    @Test
    void reconnectDoesNotWasteTheLoginOfAConnectionThatWasNotOpenedYet() {
        Carrier c = new Carrier(quiet(5).connectRate(new ConnectRateSettings(1, 1)));
        c.ask("ana");
        c.ask("bob");
        c.bucket.control().reconnect(c.now);
        c.orders();
        c.runFor(Duration.ofMillis(1060));
        assertThat(c.orders()).containsExactly("open 2 p");
        c.opened(2);
        assertThat(c.orders()).containsExactly("attach ana 2");
    }

    @Test
    void refillsAreCountedWhenTheyAreOpen() {
        Carrier c = new Carrier(quiet(5).minIdle(1));
        c.bucket.control().warmUp(c.pool, 1, Duration.ofSeconds(10).toNanos(), c.now);
        assertThat(c.bucket.snapshot().refills()).isZero();
        c.unreachable(1);
        assertThat(c.bucket.snapshot().refillFailures()).isEqualTo(1);
        c.runFor(Duration.ofSeconds(1));
        c.openAll();
        assertThat(c.bucket.snapshot().refills()).isEqualTo(1);
    }
}
