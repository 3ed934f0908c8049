package dev.comporta.pool.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HistogramTest {
    @Test
    void everyValueIsCountedWithinAThirtySecondOfItself() {
        for (long value : new long[] {0, 1, 31, 32, 33, 63, 64, 1000, 123_456_789, 1L << 40, Long.MAX_VALUE}) {
            int octave = Histogram.octaveOf(value);
            int sub = Histogram.subOf(value, octave);
            long upper = Histogram.upperBound(octave, sub);
            assertThat(upper).as("%d", value).isGreaterThanOrEqualTo(value);
            assertThat(upper - value).as("%d", value).isLessThanOrEqualTo(value / 32);
            Histogram h = new Histogram();
            h.record(value);
            h.record(Long.MAX_VALUE);
            assertThat(h.snapshot().percentileNanos(0.5))
                    .as("%d counted", value)
                    .isEqualTo(upper);
        }
    }

    @Test
    void percentilesOfAKnownSpread() {
        Histogram h = new Histogram();
        for (int i = 1; i <= 100_000; i++) {
            h.record(i * 1000L);
        }
        HistogramSnapshot s = h.snapshot();
        assertThat((double) s.percentileNanos(0.5)).isCloseTo(50_000_000, within(50_000_000 / 32.0));
        assertThat((double) s.percentileNanos(0.99)).isCloseTo(99_000_000, within(99_000_000 / 32.0));
        assertThat(s.percentileNanos(1)).isEqualTo(100_000_000);
        assertThat(s.meanNanos()).isEqualTo(50_000_500);
        assertThat((double) s.countAtMost(10_000_000)).isCloseTo(10_000, within(10_000 / 32.0));
    }

    @Test
    void nothingCountedIsZero() {
        assertThat(HistogramSnapshot.empty().percentileNanos(0.99)).isZero();
        assertThat(HistogramSnapshot.empty().meanNanos()).isZero();
    }

    @Test
    void sumsOfTwoAreAsIfCountedInOne() {
        Histogram a = new Histogram();
        Histogram b = new Histogram();
        a.record(10);
        b.record(10);
        b.record(5000);
        HistogramSnapshot both = a.snapshot().plus(b.snapshot());
        Histogram one = new Histogram();
        for (long value : new long[] {10, 10, 5000}) {
            one.record(value);
        }
        HistogramSnapshot inOne = one.snapshot();
        assertThat(both.count()).isEqualTo(inOne.count()).isEqualTo(3);
        assertThat(both.sumNanos()).isEqualTo(inOne.sumNanos()).isEqualTo(5020);
        assertThat(both.countAtMost(10)).isEqualTo(inOne.countAtMost(10)).isEqualTo(2);
        assertThat(both.maxNanos()).isEqualTo(inOne.maxNanos()).isEqualTo(5000);
        for (double share : new double[] {0.5, 0.7, 1}) {
            assertThat(both.percentileNanos(share)).as("%s", share).isEqualTo(inOne.percentileNanos(share));
        }
        assertThat(a.snapshot().count()).isEqualTo(1);
    }

    @Test
    void theDifferenceOfTwoSnapshotsIsWhatWasCountedBetweenThem() {
        Histogram h = new Histogram();
        h.record(5_000_000_000L);
        h.record(40);
        HistogramSnapshot before = h.snapshot();
        h.record(40);
        h.record(7000);
        HistogramSnapshot between = h.snapshot().minus(before);
        assertThat(between.count()).isEqualTo(2);
        assertThat(between.sumNanos()).isEqualTo(7040);
        assertThat(between.percentileNanos(0.5)).isEqualTo(40);
        assertThat((double) between.percentileNanos(1)).isCloseTo(7000, within(7000 / 32.0));
        assertThat(h.snapshot().minus(h.snapshot()).percentileNanos(0.99)).isZero();
    }
}
