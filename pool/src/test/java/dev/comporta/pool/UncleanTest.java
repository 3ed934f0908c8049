package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.state.ConnectionState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a client may have left on its connection, beyond the session state that is known: locks, tables. */
class UncleanTest {
    private static final Duration REST = Duration.ofNanos(Checks.REST_BEFORE_RESET_NANOS);

    @Test
    void uncleanConnectionIsResetWhenItHasRested() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.releaseUnclean(1);
        assertThat(c.orders()).isEmpty();
        assertThat(c.bucket.nextDeadline()).isEqualTo(c.now + REST.toNanos());
        c.passAndTick(REST.minusNanos(1));
        assertThat(c.orders()).isEmpty();
        c.passAndTick(Duration.ofNanos(1));
        assertThat(c.orders()).containsExactly("reset 1");
        c.resetDone(1);
        assertThat(c.connection(1).state()).isEqualTo(ConnectionState.READY);
        c.runFor(Duration.ofSeconds(1));
        assertThat(c.orders()).isEmpty();
    }

    @Test
    void afterItsResetItIsAsItsLoginLeftIt() {
        Carrier c = new Carrier(limit(1));
        c.ask("ana", c.pool, "german");
        c.events.opened(c.connection(1), "plain", c.now);
        c.bucket.release(c.connection(1), "german", false, c.now);
        c.passAndTick(REST);
        c.resetDone(1);
        assertThat(c.connection(1).sessionState()).isEqualTo("plain");
    }

    @Test
    void cleanConnectionRestsForLong() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.release(1);
        c.runFor(Duration.ofSeconds(10));
        assertThat(c.orders()).isEmpty();
    }

    @Test
    void uncleanConnectionIsResetAtOnceWhenItsClientLeaves() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.releaseUnclean(1);
        c.bucket.forget(c.waiter("ana"), c.now);
        assertThat(c.orders()).containsExactly("reset 1");
    }

    @Test
    void clientThatLeavesWhileAnotherHasItsConnectionChangesNothing() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.releaseUnclean(1);
        c.ask("bob");
        c.orders();
        c.bucket.forget(c.waiter("ana"), c.now);
        assertThat(c.orders()).isEmpty();
        assertThat(c.connection(1).waiter()).isSameAs(c.waiter("bob"));
    }

    @Test
    void itsClientGetsItAgainWithoutAReset() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.releaseUnclean(1);
        c.pass(REST.minusNanos(1));
        c.ask("ana");
        assertThat(c.orders()).containsExactly("attach ana 1");
        assertThat(c.connection(1).changedHands()).isFalse();
        c.runFor(Duration.ofSeconds(1));
        assertThat(c.orders()).isEmpty();
    }

    @Test
    void restBeginsAnewWithEachRelease() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.releaseUnclean(1);
        c.pass(REST.dividedBy(2));
        c.ask("ana");
        c.releaseUnclean(1);
        c.orders();
        c.passAndTick(REST.dividedBy(2));
        assertThat(c.orders()).isEmpty();
        c.passAndTick(REST.dividedBy(2));
        assertThat(c.orders()).containsExactly("reset 1");
    }

    @Test
    void whoWaitsGetsItAsItIsAndIsToldThatItChangedHands() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.ask("bob");
        c.releaseUnclean(1);
        assertThat(c.orders()).containsExactly("attach bob 1");
        assertThat(c.connection(1).changedHands()).isTrue();
    }

    @Test
    void whoComesDuringTheResetWaitsForItInsteadOfOpeningAnother() {
        Carrier c = new Carrier(limit(2));
        c.attached("ana");
        c.releaseUnclean(1);
        c.passAndTick(REST);
        c.orders();
        c.ask("bob");
        assertThat(c.orders()).isEmpty();
        c.resetDone(1);
        assertThat(c.orders()).containsExactly("attach bob 1");
    }

    @Test
    void failedResetClosesTheConnectionAndItsWaiterGetsAnother() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.releaseUnclean(1);
        c.bucket.forget(c.waiter("ana"), c.now);
        c.ask("bob");
        c.orders();
        c.events.resetDone(c.connection(1), false, c.now);
        assertThat(c.orders()).containsExactly("close 1 RESET_FAILED");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void connectionThatNoResetMakesCleanIsClosedWithoutAFailure() {
        Carrier c = new Carrier(limit(1));
        c.attached("ana");
        c.releaseUnclean(1);
        c.bucket.forget(c.waiter("ana"), c.now);
        c.ask("bob");
        c.orders();
        c.events.notResettable(c.connection(1), c.now);
        assertThat(c.orders()).containsExactly("close 1 NOT_RESETTABLE");
        assertThat(c.bucket.snapshot().traffic().resetFailures()).isZero();
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void allThatHaveRestedAreResetTogether() {
        Carrier c = new Carrier(limit(3));
        c.attached("ana", "bob", "eve");
        c.releaseUnclean(1);
        c.releaseUnclean(3);
        c.pass(Duration.ofMillis(1));
        c.releaseUnclean(2);
        c.passAndTick(REST.minusMillis(1));
        assertThat(c.orders()).containsExactly("reset 1", "reset 3");
        c.passAndTick(Duration.ofMillis(1));
        assertThat(c.orders()).containsExactly("reset 2");
    }

    @Test
    void resetOnReleaseResetsAtOnce() {
        Carrier c = new Carrier(limit(1).resetOnRelease(true));
        c.attached("ana");
        c.releaseUnclean(1);
        assertThat(c.orders()).containsExactly("reset 1");
        c.resetDone(1);
        c.runFor(Duration.ofSeconds(1));
        assertThat(c.orders()).isEmpty();
    }

    @Test
    void clientThatLeavesDuringACheckLeavesItsResetToTheCheckEnd() {
        HealthSettings soon = new HealthSettings(
                HealthSettings.Check.PING,
                Duration.ofMillis(20),
                Duration.ofSeconds(1),
                3,
                2,
                Duration.ofMillis(500),
                Duration.ofSeconds(5));
        Carrier c = new Carrier(limit(1).health(soon));
        c.attached("ana");
        c.releaseUnclean(1);
        c.passAndTick(Duration.ofMillis(20));
        assertThat(c.orders()).containsExactly("validate 1 PING");
        c.bucket.forget(c.waiter("ana"), c.now);
        assertThat(c.orders()).as("the check is not over").isEmpty();
        c.events.validated(c.connection(1), true, c.now);
        assertThat(c.orders()).containsExactly("reset 1");
    }

    @Test
    void checkThatResetsTheSessionCleansIt() {
        HealthSettings soon = new HealthSettings(
                HealthSettings.Check.FULL,
                Duration.ofMillis(20),
                Duration.ofSeconds(1),
                3,
                2,
                Duration.ofMillis(500),
                Duration.ofSeconds(5));
        Carrier c = new Carrier(limit(1).health(soon));
        c.attached("ana");
        c.releaseUnclean(1);
        c.passAndTick(Duration.ofMillis(20));
        c.events.validated(c.connection(1), true, c.now);
        assertThat(c.orders()).containsExactly("validate 1 FULL");
        c.bucket.forget(c.waiter("ana"), c.now);
        assertThat(c.orders()).isEmpty();
    }
}
