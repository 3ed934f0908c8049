package dev.comporta.pool.stats;

import java.util.Arrays;

/**
 * Counts durations in buckets whose width grows with the value, so that any percentile is off by at most 1/32.
 * Recording is an index and an increment: no clock, no lock, and no allocation but for an octave's first value.
 * Confined to the thread that records.
 */
public final class Histogram {
    /** 32 buckets an octave: 3% is finer than anyone reads a latency. */
    public static final int SUB_BITS = 5;

    public static final int SUB_BUCKETS = 1 << SUB_BITS;
    /** The first octave counts 0 to 31 one by one; the others double up to the largest long. */
    public static final int OCTAVES = Long.SIZE - SUB_BITS;

    static final long[] UNUSED = {};

    private final long[][] octaves = new long[OCTAVES][];
    private long count;
    private long sum;
    private long max;

    public Histogram() {
        Arrays.fill(octaves, UNUSED);
    }

    /** Counts a duration. A negative one counts as 0: the caller's clock may step back. */
    public void record(long nanos) {
        long value = Math.max(0, nanos);
        int octave = octaveOf(value);
        if (octaves[octave].length == 0) {
            octaves[octave] = new long[SUB_BUCKETS];
        }
        octaves[octave][subOf(value, octave)]++;
        count++;
        sum += value;
        if (value > max) {
            max = value;
        }
    }

    /** A copy of what was counted so far. */
    public HistogramSnapshot snapshot() {
        long[][] copy = new long[OCTAVES][];
        for (int i = 0; i < OCTAVES; i++) {
            copy[i] = octaves[i].length == 0 ? UNUSED : octaves[i].clone();
        }
        return new HistogramSnapshot(count, sum, max, copy);
    }

    public static int octaveOf(long value) {
        return Math.max(0, Long.SIZE - SUB_BITS - Long.numberOfLeadingZeros(value));
    }

    public static int subOf(long value, int octave) {
        return octave == 0 ? (int) value : (int) (value >>> (octave - 1)) & (SUB_BUCKETS - 1);
    }

    /** The largest value that is counted in this bucket. */
    public static long upperBound(int octave, int sub) {
        return octave == 0 ? sub : ((long) (SUB_BUCKETS + sub + 1) << (octave - 1)) - 1;
    }
}
