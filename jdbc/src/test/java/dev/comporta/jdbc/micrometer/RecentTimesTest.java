package dev.comporta.jdbc.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.comporta.pool.stats.Histogram;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RecentTimesTest {
    /** A histogram is exact to a thirty-second. */
    private static final Offset<Double> EXACT = within(0.04);

    private long now;
    private long atOnce;
    private final Histogram times = new Histogram();
    private final RecentTimes recent = new RecentTimes(() -> now);

    private double percentile(double share) {
        return recent.percentileSeconds(share, atOnce, times.snapshot());
    }

    private void pass(int seconds) {
        now += seconds * 1_000_000_000L;
    }

    private void record(int count, double seconds) {
        for (int i = 0; i < count; i++) {
            times.record((long) (seconds * 1e9));
        }
    }

    @Test
    void theFirstReadingIsSinceTheStart() {
        assertThat(percentile(0.5)).isNaN();
        record(99, 1);
        record(1, 10);
        assertThat(percentile(0.5)).isCloseTo(1, EXACT);
        assertThat(percentile(0.995)).isCloseTo(10, within(0.4));
    }

    @Test
    void whatIsOlderThanAMinuteIsForgotten() {
        record(1000, 1);
        for (int i = 0; i < 5; i++) {
            assertThat(percentile(0.5)).isCloseTo(1, EXACT);
            pass(15);
        }
        record(1, 3);
        pass(15);
        assertThat(percentile(0.5)).isCloseTo(3, within(0.1));
        pass(61);
        percentile(0.5);
        pass(61);
        assertThat(percentile(0.5)).isNaN();
    }

    @Test
    void whoDidNotWaitCountsToo() {
        atOnce = 98;
        record(2, 1);
        assertThat(percentile(0.5)).isZero();
        assertThat(percentile(0.98)).isZero();
        assertThat(percentile(0.99)).isCloseTo(1, EXACT);
    }

    @Test
    void allPercentilesOfOneScrapeAreOfTheSameWindow() {
        record(10, 1);
        percentile(0.5);
        pass(100);
        percentile(0.5);
        pass(100);
        record(10, 2);
        for (double share : new double[] {0.5, 0.95, 0.99, 0.5}) {
            assertThat(percentile(share)).as("%s", share).isCloseTo(2, within(0.07));
        }
    }
}
