package dev.comporta.pool;

/** Throws that depend on one number alone, so that an event means the same whatever stands before it in a sequence. */
final class Dice {
    private long state;

    Dice(long seed) {
        state = seed;
    }

    long bits() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    int below(int n) {
        return (int) ((bits() >>> 33) % n);
    }

    /** True once in n throws. */
    boolean oneIn(int n) {
        return below(n) == 0;
    }
}
