package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
    @Test
    void oneSeedAlwaysMakesTheSame() {
        assertThat(FaultSchedule.of(new Random(7), 20)).isEqualTo(FaultSchedule.of(new Random(7), 20));
        assertThat(FaultSchedule.of(new Random(7), 20)).isNotEqualTo(FaultSchedule.of(new Random(8), 20));
    }

    @Test
    void everyFaultComesAloneAndTogetherWithOthers() {
        FaultSchedule schedule = FaultSchedule.of(new Random(7), 200);
        for (int count = 1; count <= 2; count++) {
            int strikes = count;
            assertThat(schedule.rounds().stream()
                            .filter(round -> round.strikes().size() == strikes)
                            .flatMap(round -> round.strikes().stream())
                            .map(FaultSchedule.Strike::fault))
                    .containsAll(Arrays.asList(FaultSchedule.Fault.values()));
        }
    }

    @Test
    void nobodyIsStruckTwiceAtOnce() {
        assertThat(FaultSchedule.of(new Random(7), 200).rounds())
                .allSatisfy(round -> assertThat(round.strikes().stream().map(FaultSchedule.Strike::victim))
                        .doesNotHaveDuplicates());
    }
}
