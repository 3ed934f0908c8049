package dev.comporta.pool.stats;

import java.util.Arrays;

/** What a histogram had counted at one moment. Immutable. */
public final class HistogramSnapshot {
    private final long count;
    private final long sum;
    private final long max;
    private final long[][] octaves;

    HistogramSnapshot(long count, long sum, long max, long[][] octaves) {
        this.count = count;
        this.sum = sum;
        this.max = max;
        this.octaves = octaves;
    }

    /** Nothing counted: the neutral element of {@link #plus}. */
    public static HistogramSnapshot empty() {
        return new Histogram().snapshot();
    }

    public long count() {
        return count;
    }

    public long sumNanos() {
        return sum;
    }

    public long maxNanos() {
        return max;
    }

    public double meanNanos() {
        return count == 0 ? 0 : (double) sum / count;
    }

    /** The value that the given share of all (0 to 1) does not exceed; 0 when nothing was counted. */
    public long percentileNanos(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int octave = 0; octave < octaves.length; octave++) {
            for (int sub = 0; sub < octaves[octave].length; sub++) {
                seen += octaves[octave][sub];
                if (seen >= wanted) {
                    return Math.min(max, Histogram.upperBound(octave, sub));
                }
            }
        }
        return max;
    }

    /** How many durations did not exceed this one, as a Prometheus histogram needs it; exact to a bucket's width. */
    public long countAtMost(long nanos) {
        long value = Math.max(0, nanos);
        int last = Histogram.octaveOf(value);
        long seen = 0;
        for (int octave = 0; octave <= last; octave++) {
            int end = octave == last ? Histogram.subOf(value, last) + 1 : Histogram.SUB_BUCKETS;
            for (int sub = 0; sub < Math.min(end, octaves[octave].length); sub++) {
                seen += octaves[octave][sub];
            }
        }
        return seen;
    }

    /** The sum of this and another. */
    public HistogramSnapshot plus(HistogramSnapshot other) {
        long[][] all = new long[Histogram.OCTAVES][];
        for (int i = 0; i < all.length; i++) {
            all[i] = sum(octaves[i], other.octaves[i]);
        }
        return new HistogramSnapshot(count + other.count, sum + other.sum, Math.max(max, other.max), all);
    }

    /**
     * What was counted between an earlier snapshot of the same histogram and this one. Its largest value is exact to a
     * bucket's width: only that of all time is kept.
     */
    public HistogramSnapshot minus(HistogramSnapshot earlier) {
        long[][] between = new long[Histogram.OCTAVES][];
        long largest = 0;
        for (int octave = 0; octave < between.length; octave++) {
            between[octave] = difference(octaves[octave], earlier.octaves[octave]);
            for (int sub = 0; sub < between[octave].length; sub++) {
                largest = between[octave][sub] == 0 ? largest : Math.min(max, Histogram.upperBound(octave, sub));
            }
        }
        return new HistogramSnapshot(count - earlier.count, sum - earlier.sum, largest, between);
    }

    /** Empty when they are the same, so that a snapshot of a quiet time takes little memory. */
    private static long[] difference(long[] later, long[] earlier) {
        if (Arrays.equals(later, earlier)) {
            return Histogram.UNUSED;
        }
        long[] between = later.clone();
        for (int i = 0; i < earlier.length; i++) {
            between[i] -= earlier[i];
        }
        return between;
    }

    private static long[] sum(long[] a, long[] b) {
        if (a.length == 0 || b.length == 0) {
            return a.length == 0 ? b : a;
        }
        long[] both = a.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] += b[i];
        }
        return both;
    }
}
