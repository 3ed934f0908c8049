package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Every order of everything that can happen to a small fleet. See docs/fleet.md for what is promised. */
class ProtocolModelTest {
    private static final int MOST = 2_000_000;

    private static ModelWorld.Faults faults(int budget, String... kinds) {
        List<String> k = List.of(kinds);
        return new ModelWorld.Faults(
                budget,
                k.contains("crash"),
                k.contains("pause"),
                k.contains("loss"),
                k.contains("ghost"),
                k.contains("empty"),
                k.contains("stale"),
                k.contains("outage"),
                k.contains("cut"));
    }

    /** From one of so many states it is tried whether all are served in the end: that costs as much as a hundred steps. */
    private static final int SAMPLED = 100;

    private static void explore(ModelWorld.Size size, ModelWorld.Faults faults) {
        boolean someAreAlone = faults.cut() || faults.loss() || faults.ghost();
        int states = new ModelExplorer(
                        w -> ModelPromises.limitHolds(w, someAreAlone), ModelPromises::allAreServed, SAMPLED)
                .explore(ModelWorld.start(size, faults), MOST);
        System.out.printf("%s %s: %,d states%n", size, faults, states);
        assertThat(states).isGreaterThan(10_000);
    }

    private static ModelWorld.Size three(boolean fallback) {
        return new ModelWorld.Size(3, 2, 1, fallback, true);
    }

    private static ModelWorld.Size two(int limit, int appetite, boolean fallback, boolean swift) {
        return new ModelWorld.Size(2, limit, appetite, fallback, swift);
    }

    @Test
    void callsThatCrossEachOther() {
        explore(two(1, 1, true, false), faults(0));
    }

    @Test
    void threeInstancesThreeSlotsNothingGoesWrong() {
        explore(new ModelWorld.Size(3, 3, 1, true, true), faults(0));
    }

    @Test
    void anInstanceCrashes() {
        explore(three(false), faults(1, "crash"));
    }

    @Test
    void anInstancePauses() {
        explore(three(false), faults(1, "pause"));
    }

    @Test
    void theStoreIsRestartedEmpty() {
        explore(three(false), faults(1, "empty"));
    }

    @Test
    void aReplicaThatMissedTheLastCallTakesOver() {
        explore(two(1, 1, false, true), faults(1, "stale", "crash", "loss"));
    }

    @Test
    void messagesAreLostOrLate() {
        explore(three(false), faults(1, "loss"));
    }

    @Test
    void callsAreCarriedOutLongAfterTheyWereGivenUp() {
        explore(two(1, 1, true, true), faults(1, "crash", "pause", "loss", "ghost", "empty", "outage", "cut"));
    }

    @Test
    void anInstanceIsCutOff() {
        explore(two(2, 2, true, true), faults(1, "cut"));
    }

    @Test
    void theStoreIsAwayAndBack() {
        explore(two(2, 2, true, true), faults(1, "outage"));
    }

    @Test
    void twoOfThemAfterEachOther() {
        explore(two(1, 1, true, true), faults(2, "crash", "pause", "empty"));
    }
}
