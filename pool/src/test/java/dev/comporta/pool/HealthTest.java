package dev.comporta.pool;

import static dev.comporta.pool.Carrier.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.settings.BucketSettings;
import dev.comporta.pool.settings.HealthSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HealthTest {
    private static BucketSettings.Builder settings(int failures, int recoveries) {
        return limit(3).health(new HealthSettings(
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
            assertThat(pause).isLessThanOrEqualTo(Duration.ofMillis(30_010).toNanos());
            assertThat(pause).isGreaterThanOrEqualTo(last / 3);
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
        c.bucket.validated(c.connection(2), true, c.now);
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
        c.bucket.validated(c.connection(1), true, c.now);
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
            c.bucket.validated(c.connection(1), true, c.now);
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
        c.bucket.openFailed(c.connection(1), OpenFailure.LOGIN_REJECTED, "18456", c.now);
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
        c.bucket.validated(c.connection(1), true, c.now);
        assertThat(latency(c)).isEqualTo(Duration.ofMillis(2).toNanos());
    }

    private static long latency(Carrier c) {
        return c.bucket.snapshot().health().latencyNanos();
    }
}
