package dev.comporta.e2e.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Faults in any order, for as long as one likes: {@code ./comporta soak}. */
@Tag("soak")
class FleetSoakTest {
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("comporta.soak.seconds", 60));

    @RegisterExtension
    static final Seed SEED = Seed.fresh();

    @Test
    @Timeout(86_400)
    void theFleetKeepsItsPromisesWhateverIsDoneToIt(@TempDir Path directory) throws Exception {
        Random chance = SEED.chance("soak");
        long until = System.nanoTime() + TIME.toNanos();
        int rounds = 0;
        try (StandingFleet standing = new StandingFleet(directory)) {
            Ordeal ordeal = new Ordeal(standing, SEED.chance("load"));
            for (; System.nanoTime() < until; rounds++) {
                System.out.print("round " + rounds + ": ");
                ordeal.undergo(FaultSchedule.of(chance, 1).rounds().getFirst());
            }
        }
        System.out.println(rounds + " rounds");
        assertThat(rounds).isPositive();
    }
}
