package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.pool.lease.LeasePort;
import dev.comporta.pool.lease.LocalLeases;
import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.LoginSettings;
import dev.comporta.pool.slot.LeaseEvents;
import dev.comporta.pool.state.OpenFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private static Carrier asking(int max) {
        Carrier c = new Carrier(limit(max));
        c.grants = false;
        return c;
    }

    /** Connections for these clients, each with a slot of its own. */
    private static Carrier holding(int max, String... clients) {
        Carrier c = asking(max);
        for (String client : clients) {
            c.ask(client);
            c.bucket.leaseEvents().granted(1, c.now);
            c.openAll();
        }
        c.orders();
        return c;
    }

    @Test
    void slotComesBeforeTheConnection() {
        Carrier c = asking(2);
        c.ask("ana");
        assertThat(c.orders()).containsExactly("ask 1 IN_LINE");
        c.bucket.leaseEvents().granted(1, c.now);
        assertThat(c.orders()).containsExactly("open 1 p");
    }

    @Test
    void neverAsksBeyondTheLimit() {
        Carrier c = asking(2);
        c.ask("ana");
        c.ask("bob");
        c.ask("eve");
        assertThat(c.orders()).containsExactly("ask 1 IN_LINE", "ask 1 IN_LINE");
    }

    @Test
    void slotIsGivenBackOnlyWhenTheConnectionIsGone() {
        Carrier c = holding(2, "ana");
        c.release(1);
        c.passAndTick(Duration.ofMinutes(5));
        assertThat(c.orders()).containsExactly("close 1 IDLE");
        c.closed(1);
        assertThat(c.orders()).containsExactly("give back 1");
    }

    @Test
    void slotOfAFailedConnectIsKeptForWhoStillWaits() {
        Carrier c = asking(2);
        c.ask("ana");
        c.bucket.leaseEvents().granted(1, c.now);
        c.orders();
        c.unreachable(1);
        assertThat(c.orders()).isEmpty();
        c.runFor(Duration.ofSeconds(1));
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void grantThatNobodyNeedsAnyMoreGoesBackAtOnce() {
        Carrier c = asking(2);
        c.ask("ana");
        c.bucket.cancel(c.waiter("ana"), c.now);
        c.orders();
        c.bucket.leaseEvents().granted(1, c.now);
        assertThat(c.orders()).containsExactly("give back 1");
    }

    @Test
    void leavesTheFleetsLineWithItsLastWaiter() {
        Carrier c = asking(2);
        c.ask("ana");
        c.bucket.leaseEvents().queued(1, c.now);
        c.orders();
        c.bucket.cancel(c.waiter("ana"), c.now);
        assertThat(c.orders()).containsExactly("withdraw 1");
        c.bucket.leaseEvents().withdrawn(1, c.now);
        c.bucket.control().remove(c.now);
        assertThat(c.orders()).containsExactly("drained");
    }

    @Test
    void anothersIdleConnectionIsClosedOnlyAfterTheStoreSaidNo() {
        Carrier c = holding(5, "ana");
        c.release(1);
        c.ask("bob", c.bucket.pool("q", "bob"));
        assertThat(c.orders()).containsExactly("ask 1 IN_LINE");
        c.bucket.leaseEvents().queued(1, c.now);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED", "withdraw 1");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 3 q");
    }

    @Test
    void failsFastWhenTheStoreDenies() {
        Carrier c = new Carrier(limit(2).exhaustion(
                        new ExhaustionSettings(ExhaustionSettings.Policy.FAIL_FAST, 0, Duration.ofSeconds(1))));
        c.grants = false;
        c.ask("ana");
        assertThat(c.orders()).containsExactly("ask 1 AT_ONCE");
        c.bucket.leaseEvents().denied(1, c.now);
        assertThat(c.orders()).containsExactly("refuse ana POOL_EXHAUSTED");
    }

    @Test
    void asksAgainAfterADenial() {
        Carrier c = asking(2);
        c.ask("ana");
        c.orders();
        c.bucket.leaseEvents().denied(1, c.now);
        assertThat(c.orders()).isEmpty();
        c.runFor(Duration.ofMillis(499));
        assertThat(c.orders()).isEmpty();
        c.runFor(Duration.ofMillis(1));
        assertThat(c.orders()).containsExactly("ask 1 IN_LINE");
    }

    @Test
    void demandTakesTheLongestIdleConnection() {
        Carrier c = holding(3, "ana", "bob", "eve");
        c.release(2);
        c.pass(Duration.ofMillis(1));
        c.release(1);
        c.bucket.leaseEvents().demanded(1, c.now);
        assertThat(c.orders()).containsExactly("close 2 DEMANDED");
        c.closed(2);
        assertThat(c.orders()).containsExactly("give back 1");
    }

    @Test
    void demandWithNothingIdleTakesTheNextReleaseThoughSomeoneWaits() {
        Carrier c = holding(1, "ana");
        c.ask("bob");
        c.bucket.leaseEvents().demanded(1, c.now);
        assertThat(c.orders()).isEmpty();
        c.release(1);
        assertThat(c.orders()).containsExactly("close 1 DEMANDED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("give back 1", "ask 1 IN_LINE");
    }

    @Test
    void revocationClosesIdleConnectionsNowAndOthersWhenDetached() {
        Carrier c = holding(3, "ana", "bob");
        c.release(1);
        assertThat(c.bucket.isRevoked(c.connection(2))).isFalse();
        c.bucket.leaseEvents().revoked(2, c.now);
        assertThat(c.orders()).containsExactly("close 1 REVOKED");
        assertThat(c.bucket.isRevoked(c.connection(2))).isTrue();
        c.closed(1);
        assertThat(c.orders()).containsExactly("closed 1 revoked");
        c.release(2);
        c.closed(2);
        assertThat(c.orders()).containsExactly("close 2 REVOKED", "closed 1 revoked");
        assertThat(c.bucket.snapshot().slots().held()).isZero();
    }

    @Test
    void loweredLimitClosesIdleConnectionsNowAndOthersWhenDetached() {
        Carrier c = holding(3, "ana", "bob", "eve");
        c.release(3);
        c.bucket.control().reconfigure(limit(1).build(), c.now);
        assertThat(c.orders()).containsExactly("close 3 LIMIT_LOWERED");
        c.closed(3);
        c.ask("joe");
        c.release(1);
        assertThat(c.orders()).containsExactly("give back 1", "close 1 LIMIT_LOWERED");
        c.closed(1);
        c.release(2);
        assertThat(c.orders()).containsExactly("give back 1", "attach joe 2");
    }

    @Test
    void raisedLimitServesWhoWaits() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.bucket.control().reconfigure(limit(2).build(), c.now);
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void changedLimitIsToldToTheLeaseStoreAndOtherSettingsAreNot() {
        Carrier c = new Carrier(limit(2));
        c.bucket.control().reconfigure(limit(2).minIdle(1).build(), c.now);
        assertThat(c.limitChanges).isZero();
        c.bucket.control().reconfigure(limit(3).build(), c.now);
        assertThat(c.limitChanges).isEqualTo(1);
    }

    @Test
    void limitThatWasRaisedElsewhereHoldsUntilThisBucketIsGivenAnother() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.bucket.leaseEvents().limitRaised(2, c.now);
        assertThat(c.orders()).containsExactly("open 2 p");
        assertThat(c.limitChanges).as("nothing the store does not know").isZero();
        c.bucket
                .control()
                .reconfigure(limit(1).connectionTimeout(Duration.ofSeconds(9)).build(), c.now);
        assertThat(c.bucket.snapshot().limit()).isEqualTo(2);
        c.bucket.control().reconfigure(limit(3).build(), c.now);
        c.bucket.control().reconfigure(limit(1).build(), c.now);
        assertThat(c.bucket.snapshot().limit()).isEqualTo(1);
    }

    @Test
    void localLeasesAlwaysGrantAndCountWhatIsOut() {
        LocalLeases leases = new LocalLeases();
        Carrier orders = new Carrier(limit(1));
        Bucket b = new Bucket(
                "x",
                limit(2).build(),
                orders,
                leases,
                new java.util.SplittableRandom(1),
                SessionDistance.EQUAL_OR_NOT,
                0);
        b.request(new Waiter("ana"), b.pool("p", "ana"), null, 0);
        assertThat(leases.out()).isEqualTo(1);
        b.control().remove(1);
        b.connectionEvents().openFailed(orders.connection(1), OpenFailure.UNREACHABLE, "gone", 2);
        assertThat(leases.out()).isZero();
        assertThat(leases.ask(100_000, LeasePort.Patience.AT_ONCE)).isEqualTo(100_000);
        assertThat(leases.out()).isEqualTo(100_000);
    }

    @Test
    void loweredLoginLimitClosesItsIdleConnectionsNow() {
        Carrier c = new Carrier(limit(3));
        c.attached("ana", "bob", "eve");
        c.release(1);
        c.release(2);
        c.release(3);
        c.bucket
                .control()
                .reconfigure(
                        limit(3).logins(new LoginSettings(1, false, Map.of())).build(), c.now);
        assertThat(c.orders()).containsExactly("close 1 LIMIT_LOWERED", "close 2 LIMIT_LOWERED");
    }

    @Test
    void loweredLoginLimitForgetsWhatWasNotOpenedYet() {
        Carrier c = new Carrier(limit(3).connectRate(new ConnectRateSettings(1, 1)));
        c.ask("ana");
        c.ask("bob");
        c.orders();
        c.bucket
                .control()
                .reconfigure(
                        limit(3).logins(new LoginSettings(1, false, Map.of())).build(), c.now);
        assertThat(c.orders()).isEmpty();
        assertThat(c.bucket.snapshot().connections()).hasSize(1);
    }

    @Test
    void connectionBeyondItsLoginsLimitCountsUntilItIsGone() {
        Carrier c = new Carrier(limit(3));
        c.attached("ana", "bob");
        c.release(1);
        c.bucket
                .control()
                .reconfigure(
                        limit(3).logins(new LoginSettings(1, false, Map.of())).build(), c.now);
        c.closed(2);
        c.ask("eve");
        assertThat(c.orders()).containsExactly("close 1 LIMIT_LOWERED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 3 p");
    }

    @Test
    void countsBelowZeroAndDemandsBeyondAllMeasureDoNoHarm() {
        Carrier c = holding(2, "ana", "bob");
        LeaseEvents events = c.bucket.leaseEvents();
        List<IntConsumer> counts = List.of(
                n -> events.granted(n, c.now),
                n -> events.revoked(n, c.now),
                n -> events.denied(n, c.now),
                n -> events.queued(n, c.now),
                n -> events.withdrawn(n, c.now),
                n -> events.demanded(n, c.now));
        for (IntConsumer count : counts) {
            assertThatThrownBy(() -> count.accept(-1)).isInstanceOf(IllegalArgumentException.class);
        }
        c.bucket.leaseEvents().demanded(1, c.now);
        c.bucket.leaseEvents().demanded(Integer.MAX_VALUE, c.now);
        assertThat(c.bucket.snapshot().slots().owed()).isEqualTo(2);
    }
}
