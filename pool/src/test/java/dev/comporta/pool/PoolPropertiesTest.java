package dev.comporta.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of events, with faults at every point; after every event {@link Invariants} must hold. A failure
 * names its seed and the shortest sequence that still fails: {@code -Dpool.seed=N} runs that seed alone.
 */
class PoolPropertiesTest {
    private static final long SEQUENCES = Long.getLong("pool.sequences", 1_000_000);
    /** A different run each time would find more, and tell less: raise the count to search further. */
    private static final long FIRST_SEED = Long.getLong("pool.firstSeed", 1);

    @Test
    void everythingHoldsAfterEveryEventOfEverySequence() {
        Long only = Long.getLong("pool.seed");
        if (only != null) {
            report(only);
            return;
        }
        OptionalLong failing = LongStream.range(FIRST_SEED, FIRST_SEED + SEQUENCES)
                .parallel()
                .filter(seed -> Sequence.of(seed).failure() != null)
                .findFirst();
        failing.ifPresent(PoolPropertiesTest::report);
    }

    private static void report(long seed) {
        Sequence sequence = Sequence.of(seed);
        Throwable failure = sequence.failure();
        if (failure != null) {
            Sequence shortest = sequence.shrink();
            fail("seed " + seed + ": " + failure.getMessage() + "\n" + shortest.story(), shortest.failure());
        }
    }

    @Test
    void sameSeedAndSameEventsMakeTheSameOrders() {
        for (long seed = 1; seed <= 2000; seed++) {
            assertThat(traceOf(seed)).as("seed %d", seed).isEqualTo(traceOf(seed));
        }
    }

    private static long traceOf(long seed) {
        Sequence sequence = Sequence.of(seed);
        World world = new World(sequence.settings());
        world.run(sequence.events());
        return world.seen.trace;
    }
}
