package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import dev.comporta.pool.settings.QueueSettings;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static final QueueSettings REFUSING =
            new QueueSettings(Duration.ofSeconds(30), 1000, QueueSettings.WhenDown.REFUSE);

    private static BucketSettings.Builder settings(int failures, int recoveries) {
        return limit(3).queue(REFUSING)
                .health(new HealthSettings(
                        HealthSettings.Check.QUERY,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        failures,
                        recoveries,
                        Duration.ofMillis(500),
                        Duration.ofSeconds(30)));
    }

    /** Down after one failed connect. */
    private static Carrier down(int recoveries) {
        Carrier c = new Carrier(settings(1, recoveries));
        c.ask("ana");
        c.unreachable(1);
        assertThat(c.orders()).containsExactly("open 1 p", "health DOWN", "refuse ana SERVER_UNAVAILABLE");
        return c;
    }

    @Test
    void bucketIsDownAfterSoManyFailuresInARow() {
        Carrier c = new Carrier(settings(3, 1));
        c.ask("ana");
        for (long id = 1; id <= 3; id++) {
            assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
            c.unreachable(id);
            c.runFor(Duration.ofSeconds(3));
        }
        assertThat(c.orders()).contains("health DOWN", "refuse ana SERVER_UNAVAILABLE");
        assertThat(c.bucket.snapshot().health().downs()).isEqualTo(1);
    }

    @Test
    void serverThatAnswersElsewhereIsNotDownThoughConnectsFail() {
        Carrier c = new Carrier(settings(2, 1));
        c.attached("ana");
        c.ask("bob");
        c.unreachable(2);
        c.release(1);
        c.runFor(Duration.ofSeconds(1));
        c.ask("eve");
        c.ask("joe");
        c.runFor(Duration.ofSeconds(1));
        c.unreachable(4);
        assertThat(c.bucket.snapshot().health().failures()).isEqualTo(1);
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
    }

    @Test
    void downBucketRefusesAtOnceAndSaysWhy() {
        Carrier c = down(1);
        c.ask("bob");
        assertThat(c.orders()).containsExactly("refuse bob SERVER_UNAVAILABLE");
        assertThat(c.bucket.healthReason()).isEqualTo("refused");
    }

    @Test
    void afterAPauseOneConnectionIsLetThrough() {
        Carrier c = down(1);
        c.runFor(Duration.ofMillis(500));
        assertThat(c.orders()).containsExactly("health PROBING", "open 2 p");
        c.ask("bob");
        assertThat(c.orders()).containsExactly("refuse bob SERVER_UNAVAILABLE");
        c.opened(2);
        assertThat(c.orders()).containsExactly("health UP");
        c.ask("bob");
        assertThat(c.orders()).containsExactly("attach bob 2");
    }

    @Test
    void pausesGrowWithEachFailedProbeUpToTheLongest() {
        Carrier c = down(1);
        long id = 2;
        long last = 0;
        for (int round = 0; round < 9; round++) {
            long from = c.now;
            while (c.connection(id) == null) {
                c.runFor(Duration.ofMillis(10));
            }
            long pause = c.now - from;
            long longest = Math.min(500L << round, 30_000);
            assertThat(Duration.ofNanos(pause))
                    .as("pause %d, shortened by chance to half of it at most", round)
                    .isBetween(Duration.ofMillis(longest / 2), Duration.ofMillis(longest + 10));
            last = pause;
            c.unreachable(id++);
        }
        assertThat(last).isGreaterThan(Duration.ofSeconds(14).toNanos());
    }

    @Test
    void recoveryTakesSoManySuccessesTheSecondOnTheSameConnection() {
        Carrier c = down(2);
        c.runFor(Duration.ofMillis(500));
        c.orders();
        c.opened(2);
        assertThat(c.orders()).containsExactly("health DOWN", "health PROBING", "validate 2 QUERY");
        c.events.validated(c.connection(2), true, c.now);
        assertThat(c.orders()).containsExactly("health UP");
    }

    @Test
    void connectThatTakesTooLongIsAFailure() {
        Carrier c = new Carrier(settings(1, 1).connectionTimeout(Duration.ofSeconds(3)));
        c.ask("ana");
        c.runFor(Duration.ofSeconds(3));
        assertThat(c.orders())
                .containsExactly("open 1 p", "close 1 CONNECT_TIMEOUT", "health DOWN", "refuse ana SERVER_UNAVAILABLE");
    }

    @Test
    void idleConnectionsAreCheckedOneAfterTheOther() {
        Carrier c = new Carrier(settings(3, 1));
        c.attached("ana", "bob");
        c.release(1);
        c.release(2);
        c.runFor(Duration.ofSeconds(30));
        assertThat(c.orders()).containsExactly("validate 1 QUERY");
        c.events.validated(c.connection(1), true, c.now);
        assertThat(c.orders()).containsExactly("validate 2 QUERY");
        c.runFor(Duration.ofSeconds(5));
        assertThat(c.orders()).containsExactly("close 2 VALIDATION_FAILED");
        assertThat(c.bucket.snapshot().health().failures()).isEqualTo(1);
    }

    @Test
    void checkedConnectionsAreStillClosedWhenIdleForTooLong() {
        Carrier c = new Carrier(settings(3, 1).maxIdleTime(Duration.ofSeconds(70)));
        c.attached("ana");
        c.release(1);
        for (int i = 0; i < 2; i++) {
            c.runFor(Duration.ofSeconds(30));
            c.events.validated(c.connection(1), true, c.now);
        }
        c.orders();
        c.runFor(Duration.ofSeconds(10));
        assertThat(c.orders()).containsExactly("close 1 IDLE");
    }

    @Test
    void rejectedLoginIsThePoolsTroubleNotTheServers() {
        Carrier c = new Carrier(settings(1, 1));
        c.ask("ana");
        c.orders();
        c.events.openFailed(c.connection(1), OpenFailure.LOGIN_REJECTED, "18456", c.now);
        assertThat(c.orders()).containsExactly("refuse ana LOGIN_REJECTED");
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
        c.ask("bob");
        assertThat(c.orders()).containsExactly("refuse bob LOGIN_REJECTED");
        c.ask("eve", c.bucket.pool("q", "eve"));
        assertThat(c.orders()).containsExactly("open 2 q");
        c.runFor(Duration.ofMillis(500));
        c.ask("bob");
        assertThat(c.orders()).containsExactly("open 3 p");
    }

    @Test
    void idleConnectionIsCheckedThoughOthersAreBeingReset() {
        Carrier c = new Carrier(settings(3, 1));
        c.attached("ana", "bob");
        c.release(1);
        c.pass(Duration.ofSeconds(30));
        c.bucket.releaseDirty(c.connection(2), c.now);
        c.orders();
        c.tick();
        assertThat(c.orders()).containsExactly("validate 1 QUERY");
    }

    @Test
    void latencyIsThatOfTheLatestLoginOrCheck() {
        Carrier c = new Carrier(settings(3, 1));
        assertThat(latency(c)).isNegative();
        c.ask("ana");
        c.pass(Duration.ofMillis(7));
        c.opened(1);
        assertThat(latency(c)).isEqualTo(Duration.ofMillis(7).toNanos());
        c.release(1);
        c.passAndTick(Duration.ofSeconds(61));
        assertThat(c.orders()).contains("validate 1 QUERY");
        c.pass(Duration.ofMillis(2));
        c.events.validated(c.connection(1), true, c.now);
        assertThat(latency(c)).isEqualTo(Duration.ofMillis(2).toNanos());
    }

    @Test
    void failuresThatBeganTogetherCountOnce() {
        Carrier c = new Carrier(settings(3, 1).maxConnections(7));
        for (int i = 0; i < 7; i++) {
            c.ask("client " + i);
        }
        long first = 1;
        for (int round = 1; round < 3; round++) {
            for (long id = first; id < first + 7; id++) {
                c.unreachable(id);
            }
            assertThat(c.bucket.snapshot().health().failures()).isEqualTo(round);
            assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
            c.runFor(Duration.ofSeconds(3));
            first += 7;
        }
        c.orders();
        c.unreachable(first);
        assertThat(c.orders()).contains("health DOWN");
    }

    @Test
    void failureThatBeganBeforeTheServerAnsweredDoesNotCount() {
        Carrier c = new Carrier(settings(1, 1));
        c.attached("ana");
        c.ask("bob");
        c.release(1);
        c.ask("ana");
        c.unreachable(2);
        assertThat(c.bucket.snapshot().health().failures()).isZero();
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
    }

    @Test
    void loginThatTheServerAnswersByClosingIsThePoolsTroubleNotTheServers() {
        Carrier c = new Carrier(settings(1, 1));
        c.attached("ana");
        for (long id = 2; id < 6; id++) {
            Pool odd = c.bucket.pool("odd " + id, "odd");
            c.ask("eve", odd);
            assertThat(c.orders()).containsExactly("open " + id + " odd " + id);
            c.events.connected(c.connection(id), c.now);
            c.closed(id);
            assertThat(c.orders()).containsExactly("refuse eve LOGIN_FAILED");
            c.ask("eve", odd);
            assertThat(c.orders()).containsExactly("refuse eve LOGIN_FAILED");
        }
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
        assertThat(c.bucket.snapshot().health().failures()).isZero();
        assertThat(c.bucket.snapshot().openFailures().get(OpenFailure.LOGIN_FAILED))
                .isEqualTo(4);
        c.ask("bob");
        assertThat(c.orders()).containsExactly("open 6 p");
    }

    @Test
    void loginThatTheServerDoesNotAnswerIsThePoolsTroubleNotTheServers() {
        Carrier c = new Carrier(settings(1, 1).connectionTimeout(Duration.ofSeconds(3)));
        c.ask("ana");
        c.events.connected(c.connection(1), c.now);
        c.runFor(Duration.ofSeconds(3));
        assertThat(c.orders()).containsExactly("open 1 p", "close 1 CONNECT_TIMEOUT", "refuse ana LOGIN_FAILED");
        assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
        c.closed(1);
        c.runFor(Duration.ofMillis(500));
        c.ask("ana");
        assertThat(c.orders()).containsExactly("open 2 p");
    }

    @Test
    void loginThatWasLetInBeforeAndIsNotAnsweredSpeaksOfTheServer() {
        Carrier c = new Carrier(settings(2, 1));
        c.attached("ana");
        c.ask("bob");
        for (long id = 2; id < 4; id++) {
            assertThat(c.bucket.health()).isEqualTo(HealthState.UP);
            c.events.openFailed(c.connection(id), OpenFailure.LOGIN_FAILED, "closed", c.now);
            c.runFor(Duration.ofSeconds(1));
        }
        assertThat(c.orders()).contains("health DOWN", "refuse bob SERVER_UNAVAILABLE");
    }

    @Test
    void probeIsMadeWithALoginThatWasLetInBefore() {
        Carrier c = new Carrier(settings(1, 1));
        c.attached("ana");
        c.closed(1);
        Pool busier = c.bucket.pool("q", "eve");
        for (int i = 0; i < 5; i++) {
            c.ask("eve", busier);
            c.bucket.cancel(c.waiter("eve"), c.now);
        }
        c.ask("eve", busier);
        c.unreachable(2);
        assertThat(c.orders()).containsExactly("open 2 q", "health DOWN", "refuse eve SERVER_UNAVAILABLE");
        c.runFor(Duration.ofMillis(500));
        assertThat(c.orders()).containsExactly("health PROBING", "open 3 p");
    }

    @Test
    void probeWhoseLoginIsNotAnsweredLeavesItToTheNext() {
        Carrier c = down(1);
        c.runFor(Duration.ofMillis(500));
        c.orders();
        c.events.openFailed(c.connection(2), OpenFailure.LOGIN_FAILED, "closed", c.now);
        assertThat(c.orders()).containsExactly("health DOWN");
        assertThat(c.bucket.healthReason()).isEqualTo("refused");
        c.runFor(Duration.ofSeconds(2));
        assertThat(c.orders()).containsExactly("health PROBING", "open 3 p");
    }

    /** Down, with an idle connection of the first pool. */
    private static Carrier downWithOneIdle() {
        Carrier c = new Carrier(settings(1, 2));
        c.attached("ana");
        c.release(1);
        c.ask("eve", c.bucket.pool("q", "eve"));
        c.unreachable(2);
        assertThat(c.orders()).containsExactly("open 2 q", "health DOWN", "refuse eve SERVER_UNAVAILABLE");
        return c;
    }

    @Test
    void downBucketServesWithTheConnectionsItHas() {
        Carrier c = downWithOneIdle();
        c.ask("ana");
        assertThat(c.orders()).containsExactly("attach ana 1");
        c.ask("bob");
        c.ask("eve", c.bucket.pool("q", "eve"));
        assertThat(c.orders()).containsExactly("refuse bob SERVER_UNAVAILABLE", "refuse eve SERVER_UNAVAILABLE");
    }

    @Test
    void downBucketChecksAConnectionThatWasSilentForLongBeforeItServes() {
        Carrier c = downWithOneIdle();
        c.pass(Duration.ofSeconds(31));
        c.ask("ana");
        assertThat(c.orders()).containsExactly("validate 1 QUERY", "health PROBING");
        c.ask("bob");
        assertThat(c.orders()).containsExactly("refuse bob SERVER_UNAVAILABLE");
        c.events.validated(c.connection(1), true, c.now);
        assertThat(c.orders()).startsWith("health DOWN", "attach ana 1");
    }

    @Test
    void downBucketRefusesWhoWaitsForACheckThatFails() {
        Carrier c = downWithOneIdle();
        c.pass(Duration.ofSeconds(31));
        c.ask("ana");
        c.orders();
        c.events.validated(c.connection(1), false, c.now);
        assertThat(c.orders()).contains("close 1 VALIDATION_FAILED", "refuse ana SERVER_UNAVAILABLE");
    }

    private static long latency(Carrier c) {
        return c.bucket.snapshot().health().latencyNanos();
    }
}
