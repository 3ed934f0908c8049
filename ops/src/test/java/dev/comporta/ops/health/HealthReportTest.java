package dev.comporta.ops.health;

import static dev.comporta.ops.watch.Sights.alone;
import static dev.comporta.ops.watch.Sights.inFleet;
import static dev.comporta.ops.watch.Sights.lease;
import static dev.comporta.ops.watch.Sights.silentFor;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.lease.LeaseView.Standing;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.Phase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HealthReportTest {
    private static void assertStatus(Observation seen, Status status, String message) {
        HealthReport report = HealthReport.of(seen);
        assertThat(report.status()).isEqualTo(status);
        assertThat(report.isReady()).isEqualTo(status != Status.UNHEALTHY);
        assertThat(report.message()).contains(message);
    }

    @Test
    void onlyARunningInstanceIsReady() {
        assertStatus(alone(Phase.STARTING), Status.UNHEALTHY, "being opened");
        assertStatus(alone(Phase.RUNNING), Status.HEALTHY, "");
        assertStatus(alone(Phase.DRAINING), Status.UNHEALTHY, "this instance is stopping");
    }

    @Test
    void instanceWithAStuckEventLoopIsNotReady() {
        assertStatus(silentFor(HealthReport.MOST_SILENCE), Status.HEALTHY, "");
        assertStatus(silentFor(HealthReport.MOST_SILENCE.plusSeconds(1)), Status.UNHEALTHY, "has not run for 11 s");
    }

    @Test
    void liveFailsWhenAnEventLoopIsStuck() {
        assertThat(live(HealthReport.MOST_SILENCE).status()).isEqualTo(200);
        HttpResponse stuck = live(HealthReport.MOST_SILENCE.plusSeconds(1));
        assertThat(stuck.status()).isEqualTo(503);
        assertThat(new String(stuck.body(), StandardCharsets.UTF_8)).contains("has not run for 11 s");
    }

    private static HttpResponse live(Duration silence) {
        return new HealthPages("me", () -> silentFor(silence)).live();
    }

    @Test
    void withAFairShareItStaysReadyWithoutRedis() {
        assertStatus(inFleet(true, lease("a", Standing.IN_TOUCH)), Status.HEALTHY, "");
        assertStatus(inFleet(true, lease("a", Standing.TROUBLED)), Status.DEGRADED, "");
        assertStatus(inFleet(true, lease("a", Standing.FALLBACK), lease("b", Standing.FALLBACK)), Status.DEGRADED, "");
        assertThat(HealthReport.of(inFleet(true, lease("a", Standing.FALLBACK), lease("b", Standing.TROUBLED)))
                        .components()
                        .getFirst()
                        .message())
                .isEqualTo("1 of 2 buckets on their fair share, 2 without an answer");
    }

    @Test
    void withoutAFairShareItIsNotReadyOnceNoBucketHasALease() {
        assertStatus(inFleet(false, lease("a", Standing.FALLBACK), lease("b", Standing.TROUBLED)), Status.DEGRADED, "");
        assertStatus(
                inFleet(false, lease("a", Standing.FALLBACK), lease("b", Standing.FALLBACK)),
                Status.UNHEALTHY,
                "fallback.enabled");
        assertStatus(inFleet(false), Status.HEALTHY, "");
    }

    @Test
    void instanceWhoseNameAnotherHasTakenIsNotReady() {
        assertStatus(
                inFleet(true, lease("a", Standing.IN_TOUCH), lease("b", Standing.SUPERSEDED)),
                Status.UNHEALTHY,
                "instance_id");
    }
}
