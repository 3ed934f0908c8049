package dev.comporta.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.ExhaustionSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.stats.BucketSnapshot;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseTest {
    private final Carrier c = new Carrier(Carrier.limit(2));

    private void pause() {
        c.bucket.control().pause(c.now);
    }

    private void resume() {
        c.bucket.control().resume(c.now);
    }

    @Test
    void clientKeepsItsConnectionAndTheNextOneWaits() {
        c.attached("ana", "bo");
        pause();
        c.ask("cy");
        assertThat(c.orders()).isEmpty();
        c.release(1);
        assertThat(c.orders()).as("released to nobody").isEmpty();
        c.release(2);
        assertThat(c.orders()).containsExactly("quiesced");
        resume();
        assertThat(c.orders()).containsExactly("attach cy 2");
    }

    @Test
    void readyConnectionIsNotGivenOutAndNoneIsOpened() {
        c.attached("ana");
        c.release(1);
        pause();
        assertThat(c.orders()).containsExactly("quiesced");
        c.ask("ana");
        c.ask("bo", c.bucket.pool("q", "bo"));
        c.askToBeLetIn("cy", c.bucket.pool("r", "cy"));
        c.runFor(Duration.ofSeconds(20));
        assertThat(c.orders()).isEmpty();
        assertThat(c.bucket.snapshot().waiting()).isEqualTo(3);
        resume();
        assertThat(c.orders()).containsExactly("attach ana 1", "open 2 q");
        c.opened(2);
        c.release(2);
        c.closed(2);
        assertThat(c.orders()).containsExactly("attach bo 2", "close 2 SLOT_NEEDED", "open 3 r");
    }

    @Test
    void queueIsServedInOrderOfArrivalWhateverThePool() {
        c.attached("ana", "bo");
        c.release(1);
        c.release(2);
        pause();
        c.orders();
        c.ask("elder", c.bucket.pool("q", "elder"));
        c.ask("second");
        c.ask("third");
        resume();
        assertThat(c.orders())
                .as("an idle connection is closed for the eldest")
                .containsExactly("close 1 SLOT_NEEDED", "attach second 2");
        c.closed(1);
        assertThat(c.orders()).containsExactly("open 3 q");
    }

    @Test
    void queueTimeoutCountsWhilePaused() {
        pause();
        c.orders();
        c.ask("ana");
        c.askToBeLetIn("bo", c.bucket.pool("q", "bo"));
        c.runFor(Duration.ofSeconds(31));
        assertThat(c.orders()).containsExactlyInAnyOrder("refuse ana QUEUE_TIMEOUT", "refuse bo QUEUE_TIMEOUT");
    }

    @Test
    void policyNotToWaitHoldsAgainWhenItIsResumed() {
        Carrier hasty = new Carrier(Carrier.limit(1)
                .exhaustion(new ExhaustionSettings(ExhaustionSettings.Policy.FAIL_FAST, 0, Duration.ofSeconds(1))));
        hasty.bucket.control().pause(0);
        hasty.orders();
        hasty.ask("ana");
        hasty.ask("bo");
        assertThat(hasty.orders()).isEmpty();
        hasty.bucket.control().resume(0);
        assertThat(hasty.orders()).containsExactly("refuse bo POOL_EXHAUSTED", "open 1 p");
    }

    @Test
    void serverThatGoesDownIsWaitedForAndTried() {
        Carrier frail = new Carrier(Carrier.limit(2)
                .health(new HealthSettings(
                        HealthSettings.Check.PING,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        1,
                        2,
                        Duration.ofMillis(500),
                        Duration.ofSeconds(5))));
        frail.ask("ana");
        frail.bucket.control().pause(0);
        frail.orders();
        frail.unreachable(1);
        frail.ask("bo");
        assertThat(frail.orders()).as("nobody is refused").containsExactly("health DOWN");
        frail.runFor(Duration.ofSeconds(1));
        assertThat(frail.orders()).as("the server is tried").containsExactly("health PROBING", "open 2 p");
        frail.opened(2);
        frail.events.validated(frail.connection(2), true, frail.now);
        assertThat(frail.orders()).containsExactly("health DOWN", "health PROBING", "validate 2 PING", "health UP");
        frail.bucket.control().resume(frail.now);
        assertThat(frail.orders()).containsExactly("attach ana 2", "open 3 p");
    }

    @Test
    void loginThatTheServerRejectsWhileItStartsIsTriedAgain() {
        c.ask("ana");
        pause();
        c.rejected(1);
        c.ask("bo");
        c.runFor(Duration.ofSeconds(5));
        assertThat(c.orders()).as("nobody is refused").containsExactly("open 1 p", "quiesced");
        resume();
        assertThat(c.orders()).containsExactly("open 2 p", "open 3 p");
    }

    @Test
    void stockIsNotRefilledAndHealthIsChecked() {
        Carrier stocked = new Carrier(Carrier.limit(4).minIdle(2));
        stocked.ask("ana");
        stocked.openAll();
        stocked.openAll();
        stocked.openAll();
        stocked.release(1);
        assertThat(stocked.bucket.snapshot().idle()).isGreaterThanOrEqualTo(2);
        stocked.bucket.control().pause(stocked.now);
        stocked.orders();
        int idle = stocked.bucket.snapshot().idle();
        stocked.runFor(Duration.ofSeconds(30));
        assertThat(stocked.orders()).first().asString().startsWith("validate");
        for (ServerConnection each : stocked.all()) {
            stocked.events.closed(each, stocked.now);
        }
        stocked.runFor(Duration.ofSeconds(60));
        assertThat(idle).isPositive();
        assertThat(stocked.orders()).noneMatch(order -> order.startsWith("open"));
        stocked.bucket.control().resume(stocked.now);
        stocked.runFor(Duration.ofSeconds(1));
        assertThat(stocked.orders()).anyMatch(order -> order.startsWith("open"));
    }

    @Test
    void restComesWhenTheLastTransactionIsRolledBack() {
        c.attached("ana");
        pause();
        c.bucket.releaseDirty(c.connection(1), c.now);
        assertThat(c.orders()).containsExactly("reset 1");
        assertThat(c.bucket.snapshot().isQuiesced()).isFalse();
        c.resetDone(1);
        assertThat(c.orders()).containsExactly("quiesced");
        assertThat(c.bucket.snapshot().isQuiesced()).isTrue();
    }

    @Test
    void secondPauseIsAnsweredToo() {
        pause();
        pause();
        assertThat(c.orders()).containsExactly("quiesced", "quiesced");
    }

    @Test
    void newSettingsDoNotEndIt() {
        c.attached("ana");
        c.release(1);
        pause();
        c.ask("ana");
        c.orders();
        c.bucket.control().reconfigure(Carrier.limit(5).build(), c.now);
        BucketSnapshot told = c.bucket.snapshot();
        assertThat(told.paused()).isTrue();
        assertThat(c.orders()).isEmpty();
    }

    @Test
    void removalEndsIt() {
        c.attached("ana");
        c.release(1);
        pause();
        c.ask("ana");
        c.orders();
        c.bucket.control().remove(c.now);
        assertThat(c.orders()).containsExactly("refuse ana REMOVED", "close 1 REMOVED");
        assertThat(c.bucket.isPaused()).isFalse();
    }

    @Test
    void slotsInTheFleetsLineAreLeftToOthers() {
        c.grants = false;
        c.ask("ana");
        c.bucket.leaseEvents().queued(1, c.now);
        c.orders();
        pause();
        assertThat(c.orders()).containsExactly("withdraw 1", "quiesced");
        c.bucket.leaseEvents().withdrawn(1, c.now);
        c.orders();
        resume();
        assertThat(c.orders()).containsExactly("ask 1 IN_LINE");
    }
}
