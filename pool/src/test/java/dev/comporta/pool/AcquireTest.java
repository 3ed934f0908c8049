package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.settings.ValidationSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.PinReason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AcquireTest {
    @Test
    void firstRequestOpensAConnectionAndGetsIt() {
        Carrier c = new Carrier(limit(2));
        c.ask("ana");
        assertThat(c.orders()).containsExactly("open 1 p");
        c.opened(1);
        assertThat(c.orders()).containsExactly("attach ana 1");
    }

    @Test
    void idleConnectionIsUsedBeforeANewOneIsOpened() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana");
        c.release(1);
        c.ask("bob");
        assertThat(c.orders()).containsExactly("attach bob 1");
        assertThat(c.connection(1).changedHands()).isTrue();
    }

    @Test
    void clientGetsBackTheConnectionItUsedLastThoughAnotherIsOnTop() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana", "bob");
        c.release(1);
        c.release(2);
        c.ask("ana");
        assertThat(c.orders()).containsExactly("attach ana 1");
        assertThat(c.connection(1).changedHands()).isFalse();
    }

    @Test
    void connectionThatAnotherUsedSinceIsNotItsOwnAnyMore() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana", "bob");
        c.release(1);
        c.ask("eve");
        c.release(2);
        c.release(1);
        c.orders();
        c.ask("ana");
        assertThat(c.orders()).containsExactly("attach ana 1");
        assertThat(c.connection(1).changedHands()).isTrue();
    }

    @Test
    void connectionAlreadyInTheClientsStateIsPreferred() {
        Carrier c = new Carrier(limit(3));
        c.attached("ana", "bob", "eve");
        c.release(1, "german");
        c.release(2, "french");
        c.release(3, "plain");
        c.orders();
        c.ask("new", c.pool, "german");
        assertThat(c.orders()).containsExactly("attach new 1");
        c.ask("other", c.pool, "klingon");
        assertThat(c.orders()).containsExactly("attach other 3");
    }

    @Test
    void releasedConnectionGoesToTheOldestWaiterStillThere() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.ask("eve");
        c.ask("joe");
        assertThat(c.bucket.cancel(c.waiter("bob"), c.now)).isTrue();
        c.release(1);
        assertThat(c.orders()).containsExactly("attach eve 1");
        assertThat(c.bucket.cancel(c.waiter("eve"), c.now)).isFalse();
    }

    @Test
    void anothersIdleConnectionIsClosedForWhomNoSlotIsLeft() {
        Carrier c = new Carrier(limit(1));
        Pool other = c.bucket.pool("q", "bob");
        c.attached("ana");
        c.release(1);
        c.ask("bob", other);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 q");
    }

    @Test
    void connectionComingFreeIsClosedForAnOlderWaiterOfAnotherPoolThoughAYoungerOneCouldUseIt() {
        Carrier c = new Carrier(limit(1));
        Pool other = c.bucket.pool("q", "bob");
        c.attached("ana");
        c.ask("bob", other);
        c.ask("eve");
        c.release(1);
        assertThat(c.orders()).containsExactly("close 1 SLOT_NEEDED");
        c.closed(1);
        c.opened(2);
        assertThat(c.orders()).containsExactly("open 2 q", "attach bob 2");
        c.release(2);
        assertThat(c.orders()).containsExactly("close 2 SLOT_NEEDED");
    }

    @Test
    void whoHasAConnectionOnItsWayDoesNotHoldUpTheOthers() {
        Carrier c = new Carrier(limit(2));
        Pool other = c.bucket.pool("q", "bob");
        c.attached("ana");
        c.ask("bob", other);
        c.ask("eve");
        c.orders();
        c.release(1);
        assertThat(c.orders()).containsExactly("attach eve 1");
    }

    @Test
    void workingConnectionIsNotGivenUpWhileConnectsFail() {
        Carrier c = new Carrier(limit(2));
        Pool other = c.bucket.pool("q", "bob");
        c.attached("ana", "eve");
        c.ask("bob", other);
        c.ask("joe");
        c.release(1);
        c.closed(1);
        c.unreachable(3);
        c.ask("zoe");
        c.orders();
        c.release(2);
        assertThat(c.orders()).containsExactly("attach joe 2");
    }

    @Test
    void refusesAtOnceWhenTheQueueIsFull() {
        Carrier c = new Carrier(limit(1).queue(new QueueSettings(Duration.ofSeconds(1), 2)));
        c.attached("ana");
        c.ask("bob");
        c.ask("eve");
        c.ask("joe");
        assertThat(c.orders()).containsExactly("refuse joe QUEUE_FULL");
        assertThat(c.waiter("joe").status()).isEqualTo(Waiter.Status.IDLE);
    }

    @Test
    void refusesWhoWaitedForTheQueueTimeout() {
        Carrier c = new Carrier(limit(1).queue(new QueueSettings(Duration.ofSeconds(1), 10)));
        c.attached("ana");
        c.ask("bob");
        c.pass(Duration.ofMillis(400));
        c.ask("eve");
        assertThat(c.bucket.nextDeadline()).isEqualTo(Duration.ofSeconds(1).toNanos());
        c.passAndTick(Duration.ofMillis(600));
        assertThat(c.orders()).containsExactly("refuse bob QUEUE_TIMEOUT");
    }

    @Test
    void failsFastWhenExhausted() {
        Carrier c = new Carrier(limit(1).exhaustion(
                        new ExhaustionSettings(ExhaustionSettings.Policy.FAIL_FAST, 0, Duration.ofSeconds(1))));
        c.attached("ana");
        c.ask("bob");
        assertThat(c.orders()).containsExactly("refuse bob POOL_EXHAUSTED");
    }

    @Test
    void overflowOpensABoundedNumberBeyondTheLimitForAShortLife() {
        Carrier c = new Carrier(limit(1).exhaustion(
                        new ExhaustionSettings(ExhaustionSettings.Policy.OVERFLOW, 1, Duration.ofSeconds(5))));
        c.attached("ana");
        c.ask("bob");
        assertThat(c.orders()).containsExactly("open 2 p");
        c.opened(2);
        c.ask("eve");
        c.ask("joe");
        assertThat(c.orders()).as("no third is opened").containsExactly("attach bob 2");
        c.release(2);
        assertThat(c.orders()).containsExactly("attach eve 2");
        c.pass(Duration.ofSeconds(5));
        c.release(2);
        assertThat(c.orders()).containsExactly("close 2 OVERFLOW");
    }

    @Test
    void overflowConnectionThatNobodyWantsIsClosed() {
        Carrier c = new Carrier(limit(1).exhaustion(
                        new ExhaustionSettings(ExhaustionSettings.Policy.OVERFLOW, 1, Duration.ofSeconds(5))));
        c.attached("ana", "bob");
        c.release(2);
        assertThat(c.orders()).containsExactly("close 2 OVERFLOW");
    }

    @Test
    void idleConnectionIsValidatedBeforeItIsHandedOut() {
        Carrier c = new Carrier(limit(1).validation(new ValidationSettings(true, false, Duration.ZERO)));
        c.attached("ana");
        c.release(1);
        c.ask("bob");
        assertThat(c.orders()).containsExactly("validate 1 PING");
        c.events.validated(c.connection(1), true, c.now);
        assertThat(c.orders()).containsExactly("attach bob 1");
    }

    @Test
    void connectionThatFailsItsValidationIsReplacedForItsWaiter() {
        Carrier c = new Carrier(limit(1).validation(new ValidationSettings(false, false, Duration.ofSeconds(30))));
        c.attached("ana");
        c.release(1);
        c.pass(Duration.ofSeconds(29));
        c.ask("bob");
        assertThat(c.orders()).containsExactly("attach bob 1");
        c.release(1);
        c.pass(Duration.ofSeconds(30));
        c.ask("eve");
        assertThat(c.orders()).containsExactly("validate 1 PING");
        c.events.validated(c.connection(1), false, c.now);
        assertThat(c.orders()).containsExactly("close 1 VALIDATION_FAILED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 p");
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
    }

    @Test
    void releasedConnectionIsResetThenValidatedThenFree() {
        Carrier c = new Carrier(
                limit(1).resetOnRelease(true).validation(new ValidationSettings(false, true, Duration.ZERO)));
        c.attached("ana");
        c.ask("bob");
        c.release(1);
        assertThat(c.orders()).containsExactly("reset 1");
        c.events.resetDone(c.connection(1), true, c.now);
        assertThat(c.orders()).containsExactly("validate 1 PING");
        c.events.validated(c.connection(1), true, c.now);
        assertThat(c.orders()).containsExactly("attach bob 1");
    }

    @Test
    void connectionLeftInATransactionIsResetBeforeAnyoneElseGetsIt() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.bucket.pin(c.connection(1), PinReason.TRANSACTION, c.now);
        assertThatThrownBy(() -> c.release(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("PINNED");
        c.bucket.releaseDirty(c.connection(1), c.now);
        assertThat(c.orders()).containsExactly("reset 1");
        c.events.resetDone(c.connection(1), false, c.now);
        assertThat(c.orders()).containsExactly("close 1 RESET_FAILED");
    }

    @Test
    void clientHasOneRequestAtATime() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        assertThatThrownBy(() -> c.ask("ana")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void resetConnectionIsInTheStateOfItsLogin() {
        Carrier c = new Carrier(limit(2).resetOnRelease(true));
        c.ask("ana");
        c.events.opened(c.connection(1), "plain", c.now);
        c.release(1, "german");
        c.events.resetDone(c.connection(1), true, c.now);
        assertThat(c.connection(1).sessionState()).isEqualTo("plain");
        c.ask("ana");
        c.bucket.releaseDirty(c.connection(1), c.now);
        assertThat(c.connection(1).sessionState()).isNull();
        c.events.resetDone(c.connection(1), true, c.now);
        assertThat(c.connection(1).sessionState()).isEqualTo("plain");
    }

    @Test
    void fullValidationLeavesTheStateOfTheLogin() {
        HealthSettings d = HealthSettings.DEFAULTS;
        Carrier c = new Carrier(limit(2).validation(new ValidationSettings(true, false, Duration.ZERO))
                .health(new HealthSettings(
                        HealthSettings.Check.FULL,
                        d.interval(),
                        d.timeout(),
                        d.failureThreshold(),
                        d.recoveryThreshold(),
                        d.backoff(),
                        d.maxBackoff())));
        c.ask("ana");
        c.events.opened(c.connection(1), "plain", c.now);
        c.release(1, "german");
        c.ask("ana", c.pool, "german");
        c.events.validated(c.connection(1), true, c.now);
        assertThat(c.orders()).endsWith("attach ana 1");
        assertThat(c.connection(1).sessionState()).isEqualTo("plain");
    }

    @Test
    void nothingIsKeptOfAConnectionThatIsGoneNorOfAClientThatUsedAnotherSince() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana", "bob");
        c.release(1);
        c.ask("eve");
        assertThat(c.waiter("ana").lastConnection).isNull();
        c.closed(1);
        assertThat(c.waiter("eve").lastConnection).isNull();
        assertThat(c.connection(1).lastWaiter).isNull();
    }

    @Test
    void connectionAClientLeftForAnotherIsNotItsOwnAnyMore() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana");
        c.bucket.releaseDirty(c.connection(1), c.now);
        c.ask("ana");
        c.ask("bob");
        c.openAll();
        assertThat(c.waiter("ana").connection()).isSameAs(c.connection(2));
        assertThat(c.connection(1).lastWaiter).isNull();
    }
}
