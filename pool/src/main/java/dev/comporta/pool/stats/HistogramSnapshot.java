package dev.comporta.pool.stats;

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

    /** How many did not exceed this value, as a Prometheus histogram asks; exact to a bucket's width. */
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

    /** This and another taken together. */
    public HistogramSnapshot plus(HistogramSnapshot other) {
        long[][] all = new long[Histogram.OCTAVES][];
        for (int i = 0; i < all.length; i++) {
            all[i] = sum(octaves[i], other.octaves[i]);
        }
        return new HistogramSnapshot(count + other.count, sum + other.sum, Math.max(max, other.max), all);
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
