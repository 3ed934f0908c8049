package dev.comporta.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaseClockTest {
    private long nanos = 5_000;
    private long millis = 1_700_000_000_000L;
    private final LeaseClock clock = new LeaseClock(() -> nanos, () -> millis);

    private void pass(long seconds) {
        nanos += seconds * 1_000_000_000L;
        millis += seconds * 1000;
    }

    @Test
    void countsFromItsMaking() {
        assertThat(clock.now()).isZero();
        pass(3);
        assertThat(clock.now()).isEqualTo(3_000_000_000L);
    }

    @Test
    void timeThatOnlyTheWallClockSawCounts() {
        pass(1);
        millis += 60_000; // the machine was suspended
        assertThat(clock.now()).isEqualTo(61_000_000_000L);
        pass(1);
        assertThat(clock.now()).isEqualTo(62_000_000_000L);
    }

    @Test
    void wallClockThatIsSetBackChangesNothing() {
        pass(10);
        assertThat(clock.now()).isEqualTo(10_000_000_000L);
        millis -= 3_600_000;
        pass(1);
        assertThat(clock.now()).isEqualTo(11_000_000_000L);
    }

    @Test
    void suspensionAfterTheWallClockWasSetBackCounts() {
        pass(10);
        millis -= 3_600_000;
        pass(1);
        assertThat(clock.now()).isEqualTo(11_000_000_000L);
        millis += 60_000; // the machine was suspended
        assertThat(clock.now()).isEqualTo(71_000_000_000L);
        pass(1);
        assertThat(clock.now()).isEqualTo(72_000_000_000L);
    }

    @Test
    void everySuspensionCounts() {
        millis += 60_000;
        assertThat(clock.now()).isEqualTo(60_000_000_000L);
        millis += 1_500;
        assertThat(clock.now()).isEqualTo(61_500_000_000L);
    }

    /** The two clocks are read one after the other, and one of them counts in milliseconds only. */
    @Test
    void smallDifferencesDoNotCount() {
        for (int i = 0; i < 100; i++) {
            millis += i % 2 == 0 ? 900 : -900;
            pass(1);
            assertThat(clock.now()).isEqualTo((i + 1) * 1_000_000_000L);
        }
    }
}
