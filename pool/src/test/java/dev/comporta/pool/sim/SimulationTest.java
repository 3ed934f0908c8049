package dev.comporta.pool.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.pool.state.Refusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void fleetOfThreeHundredThousandTenantsIsServedWithinTheLimitAndOneDeadServerHarmsNoOther() {
        SimulationResult result = Simulation.run(Scenario.FLEET);
        System.out.print(result.report());
        assertThat(result.buckets()).hasSize(120);
        assertThat(result.served()).isGreaterThan(3_000_000);
        for (SimulationResult.BucketResult bucket : result.buckets()) {
            assertThat(bucket.mostConnections()).as(bucket.id()).isLessThanOrEqualTo(50);
            if (bucket.id().equals("bucket-8")) {
                assertThat(bucket.refused().get(Refusal.QUEUE_FULL)).isGreaterThan(5_000);
                assertThat(bucket.refused().get(Refusal.SERVER_UNAVAILABLE)).isZero();
            } else {
                assertThat(bucket.refusals()).as(bucket.id()).isZero();
                assertThat(bucket.waits().maxNanos())
                        .as(bucket.id())
                        .isLessThan(Duration.ofSeconds(2).toNanos());
                assertThat(bucket.utilisation()).as(bucket.id()).isBetween(0.2, 0.5);
            }
        }
    }

    private static Scenario small() {
        return Scenario.FLEET.withBuckets(10).withTenants(5_000).withDuration(Duration.ofSeconds(50));
    }

    @Test
    void sameSeedSameResult() {
        assertThat(Simulation.run(small()).report())
                .isEqualTo(Simulation.run(small()).report());
        assertThat(Simulation.run(small().withSeed(2)).report())
                .isNotEqualTo(Simulation.run(small()).report());
    }

    @Test
    void serverThatCameBackServesAgain() {
        Scenario whole = small();
        Scenario untilItsReturn = whole.withDuration(Duration.ofSeconds(40));
        long before = Simulation.run(untilItsReturn).buckets().get(7).served();
        assertThat(Simulation.run(whole).buckets().get(7).served()).isGreaterThan(before + 100);
    }
}
