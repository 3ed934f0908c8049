package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.ConnectRateSettings;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.BucketSnapshot;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    @Test
    void removedBucketLetsClientsFinishAndEndsEmpty() {
        Carrier c = new Carrier(limit(3));
        c.attached("ana", "bob");
        c.release(2);
        c.ask("x");
        c.orders();
        c.bucket.control().remove(c.now);
        c.ask("eve");
        assertThat(c.orders()).containsExactly("refuse eve REMOVED");
        c.release(1);
        c.bucket.releaseDirty(c.connection(2), c.now);
        assertThat(c.orders()).containsExactly("close 1 REMOVED", "reset 2");
        c.closed(1);
        c.events.resetDone(c.connection(2), true, c.now);
        c.closed(2);
        assertThat(c.orders()).containsExactly("close 2 REMOVED", "drained");
        assertThat(c.bucket.isDrained()).isTrue();
        assertThat(c.bucket.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void brokenConnectionKeepsItsSlotUntilTheServerHasEndedIt() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.bucket.pin(c.connection(1), PinReason.TRANSACTION, c.now);
        c.ask("bob");
        c.events.broken(c.connection(1), c.now);
        assertThat(c.orders()).containsExactly("close 1 LOST");
        c.ask("ana");
        assertThat(c.orders()).as("the client is free to ask again, and waits").isEmpty();
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 p");
        c.opened(2);
        assertThat(c.orders()).containsExactly("attach bob 2");
    }

    @Test
    void whoWaitsHearsOfAFailedLoginBeforeItsConnectionHasEnded() {
        Carrier c = new Carrier(limit(1));
        c.ask("ana");
        c.orders();
        c.events.connected(c.connection(1), c.now);
        c.events.openBroken(c.connection(1), OpenFailure.LOGIN_FAILED, "nonsense", c.now);
        assertThat(c.orders()).containsExactly("close 1 CONNECT_FAILED", "refuse ana LOGIN_FAILED");
        Pool other = c.bucket.pool("q", "bob");
        c.ask("bob", other);
        assertThat(c.orders()).as("the slot is not free").isEmpty();
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 q");
    }

    @Test
    void connectionWhoseEndWasNotSeenIsCountedAndItsSlotIsFree() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.events.broken(c.connection(1), c.now);
        c.orders();
        c.events.closedUnseen(c.connection(1), c.now);
        assertThat(c.orders()).containsExactly("open 2 p");
        assertThat(c.bucket.snapshot().closed())
                .containsEntry(CloseReason.END_UNSEEN, 1L)
                .containsEntry(CloseReason.LOST, 0L);
    }

    @Test
    void retiredPoolTakesNoRequestAndClosesItsConnections() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana", "bob");
        c.release(2);
        c.bucket.control().retire(c.pool, c.now);
        c.ask("eve");
        assertThat(c.orders()).containsExactly("close 2 REMOVED", "refuse eve REMOVED");
        c.release(1);
        assertThat(c.orders()).containsExactly("close 1 REMOVED");
        assertThat(c.bucket.pool("p", "ana")).isNotSameAs(c.pool);
    }

    @Test
    void retiredPoolRefusesItsWaitersAndNoOthers() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("joe");
        c.ask("bob", c.bucket.pool("q", "bob"));
        c.orders();
        c.bucket.control().retire(c.pool, c.now);
        assertThat(c.orders()).containsExactly("refuse joe REMOVED");
    }

    @Test
    void reconnectReplacesConnectionsAsTheyComeFree() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana", "bob");
        c.release(1);
        c.bucket.control().reconnect(c.now);
        c.release(2);
        assertThat(c.orders()).containsExactly("close 1 RECONNECT", "close 2 RECONNECT");
    }

    @Test
    void reconnectConcernsWhatIsBeingOpenedAndNothingThatComesLater() {
        Carrier c = new Carrier(limit(2));
        c.ask("ana");
        c.bucket.control().reconnect(c.now);
        c.opened(1);
        assertThat(c.orders()).containsExactly("open 1 p", "close 1 RECONNECT", "open 2 p");
        c.opened(2);
        c.release(2);
        c.ask("bob");
        assertThat(c.orders()).as("the new one is used again").containsExactly("attach ana 2", "attach bob 2");
    }

    @Test
    void reconnectDoesNotCutOffAClientThatKeepsItsConnection() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.bucket.pin(c.connection(1), PinReason.TRANSACTION, c.now);
        c.bucket.control().reconnect(c.now);
        c.ask("bob");
        c.bucket.unpin(c.connection(1), c.now);
        assertThat(c.orders()).isEmpty();
        c.release(1);
        c.closed(1);
        assertThat(c.orders()).containsExactly("close 1 RECONNECT", "open 2 p");
    }

    @Test
    void reconnectRefillsTheStockAtTheConnectRate() {
        Carrier c = new Carrier(limit(6).minIdle(4).connectRate(new ConnectRateSettings(10, 1)));
        c.ask("ana");
        for (int i = 0; i < 12; i++) {
            c.runFor(Duration.ofMillis(100));
            c.openAll();
        }
        assertThat(c.bucket.snapshot().idle()).isEqualTo(4);
        c.orders();
        c.bucket.control().reconnect(c.now);
        assertThat(c.orders())
                .containsOnlyOnce("open 6 p")
                .filteredOn(order -> order.startsWith("close"))
                .hasSize(4);
        for (ServerConnection each : c.all()) {
            if (each.state() == ConnectionState.CLOSING) {
                c.closed(each.id());
            }
        }
        c.openAll();
        assertThat(c.orders()).as("none before its time").isEmpty();
        for (long id = 7; id <= 9; id++) {
            c.runFor(Duration.ofMillis(100));
            assertThat(c.orders()).as("one in 100 ms").containsExactly("open " + id + " p");
            c.openAll();
        }
        assertThat(c.bucket.snapshot().idle()).isEqualTo(4);
    }

    @Test
    void poolThatNobodyUsedForLongIsForgottenAndComesBackWithItsNextRequest() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana");
        c.release(1);
        c.runFor(Duration.ofMinutes(6));
        c.closed(1);
        c.runFor(Duration.ofMinutes(10));
        assertThat(c.bucket.snapshot().pools()).isEmpty();
        assertThat(c.bucket.snapshot().traffic().attached()).isEqualTo(1);
        c.orders();
        c.ask("ana");
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void forgottenPoolIsWarmedUpUnderItsName() {
        Carrier c = new Carrier(limit(2));
        c.runFor(Duration.ofMinutes(6));
        assertThat(c.bucket.snapshot().pools()).isEmpty();
        c.bucket.control().warmUp(c.pool, 1, c.now + Duration.ofSeconds(10).toNanos(), c.now);
        assertThat(c.orders()).containsExactly("open 1 p");
    }

    @Test
    void lostConnectionFreesItsClientAndItsSlot() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.closed(1);
        assertThat(c.waiter("ana").status()).isEqualTo(Waiter.Status.IDLE);
        assertThat(c.orders()).containsExactly("open 2 p");
        c.release(1);
        c.closed(1);
        assertThat(c.orders()).isEmpty();
    }

    @Test
    void timeNeverGoesBack() {
        Carrier c = new Carrier(limit(1));
        c.bucket.tick(1000);
        c.bucket.tick(500);
        assertThat(c.bucket.now()).isEqualTo(1000);
    }

    @Test
    void forgottenClientHasNoConnectionOfItsOwn() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.release(1);
        c.bucket.forget(c.waiter("ana"), c.now);
        c.ask("ana");
        assertThat(c.connection(1).changedHands()).isTrue();
    }

    @Test
    void snapshotTellsWhatHappened() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana", "bob");
        c.ask("eve");
        c.pass(Duration.ofMillis(40));
        c.bucket.pin(c.connection(1), PinReason.TRANSACTION, c.now);
        c.connection(1).countQuery(400_000, 1_000_000);
        c.connection(1).countSent(10);
        c.connection(1).countReceived(20);
        c.release(2);
        BucketSnapshot s = c.bucket.snapshot();
        assertThat(s.active()).isEqualTo(2);
        assertThat(s.count(ConnectionState.PINNED)).isEqualTo(1);
        assertThat(s.pins()).containsEntry(PinReason.TRANSACTION, 1L);
        assertThat(s.traffic().attached()).isEqualTo(3);
        assertThat(s.traffic().opened()).isEqualTo(2);
        assertThat(s.traffic().queries()).isEqualTo(1);
        assertThat(s.queryTime().sumNanos()).isEqualTo(1_000_000);
        assertThat(s.firstByteTime().sumNanos()).isEqualTo(400_000);
        assertThat(s.traffic().bytesSent()).isEqualTo(10);
        assertThat(s.traffic().bytesReceived()).isEqualTo(20);
        assertThat(s.connections().getFirst().bytesSent()).isEqualTo(10);
        assertThat(s.connections().getFirst().bytesReceived()).isEqualTo(20);
        assertThat(s.waitTime().count()).isEqualTo(3);
        assertThat(s.waitTime().maxNanos()).isEqualTo(40_000_000);
        assertThat(s.traffic().averageWaitMillis()).isBetween(13.0, 14.0);
        assertThat(s.traffic().queued()).isEqualTo(3);
        assertThat(s.queryTime().count()).isEqualTo(1);
        assertThat(s.lastActivityAt()).isEqualTo(40_000_000);
        assertThat(s.connections()).hasSize(2);
        assertThat(s.pools()).hasSize(1);
        assertThat(s.slots().held()).isEqualTo(2);
    }

    @Test
    void snapshotTellsErrorsAndWhoWaitedInVain() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.pass(Duration.ofMillis(40));
        c.bucket.cancel(c.waiter("bob"), c.now);
        c.closed(1);
        c.tick();
        BucketSnapshot s = c.bucket.snapshot();
        assertThat(s.waitInVainTime().maxNanos()).isEqualTo(40_000_000);
        assertThat(s.errors()).isEqualTo(1);
        c.passAndTick(Duration.ofSeconds(1));
        assertThat(c.bucket.snapshot().lastActivityAt()).isEqualTo(40_000_000);
    }

    @Test
    void connectionOpenedAtTheOriginOfTimeCountsAsOneThatLived() {
        Carrier c = new Carrier(limit(1).minIdle(1));
        c.ask("ana");
        c.bucket.cancel(c.waiter("ana"), c.now);
        c.opened(1);
        c.closed(1);
        assertThat(c.bucket.snapshot().traffic().closed()).isEqualTo(1);
    }
}
