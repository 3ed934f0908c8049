package dev.comporta.lease;

import java.util.Arrays;

/**
 * The states that were seen, by their fingerprints, and how each was reached. For any number of threads: each stripe is
 * locked for itself. 28 bytes a state at most, and half as much again in the table.
 */
final class ModelStates {
    static final long NONE = -1;

    private static final int STRIPE_BITS = 6;
    private static final int STRIPES = 1 << STRIPE_BITS;

    private final Stripe[] stripes = new Stripe[STRIPES];

    ModelStates() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** The new state's number, or {@link #NONE} if it is known. */
    long add(ModelBytes state, long from) {
        int stripe = (int) (state.high >>> (Long.SIZE - STRIPE_BITS));
        int index = stripes[stripe].add(state.high, state.low, from);
        return index < 0 ? NONE : ((long) index << STRIPE_BITS) | stripe;
    }

    boolean contains(ModelBytes state) {
        return stripes[(int) (state.high >>> (Long.SIZE - STRIPE_BITS))].contains(state.high, state.low);
    }

    boolean isOf(long number, ModelBytes state) {
        Stripe s = stripes[(int) number & (STRIPES - 1)];
        int index = (int) (number >>> STRIPE_BITS);
        return s.highs[index] == state.high && s.lows[index] == state.low;
    }

    long from(long number) {
        return stripes[(int) number & (STRIPES - 1)].froms[(int) (number >>> STRIPE_BITS)];
    }

    long size() {
        long size = 0;
        for (Stripe s : stripes) {
            size += s.size;
        }
        return size;
    }

    /** Open addressing over arrays in the order of arrival, so that a state's number stays when the table grows. */
    private static final class Stripe {
        private static final int EMPTY = -1;

        long[] highs = new long[64];
        long[] lows = new long[64];
        long[] froms = new long[64];
        int size;
        private int[] table = newTable(128);

        private static int[] newTable(int length) {
            int[] table = new int[length];
            Arrays.fill(table, EMPTY);
            return table;
        }

        synchronized boolean contains(long high, long low) {
            return table[find(high, low)] != EMPTY;
        }

        synchronized int add(long high, long low, long from) {
            int at = find(high, low);
            if (table[at] != EMPTY) {
                return EMPTY;
            }
            if (size == highs.length) {
                int length = size + size / 2;
                highs = Arrays.copyOf(highs, length);
                lows = Arrays.copyOf(lows, length);
                froms = Arrays.copyOf(froms, length);
            }
            highs[size] = high;
            lows[size] = low;
            froms[size] = from;
            table[at] = size++;
            if (size * 3L > table.length * 2L) {
                grow();
            }
            return size - 1;
        }

        private int find(long high, long low) {
            int mask = table.length - 1;
            int at = (int) low & mask;
            while (table[at] != EMPTY && (lows[table[at]] != low || highs[table[at]] != high)) {
                at = (at + 1) & mask;
            }
            return at;
        }

        private void grow() {
            table = newTable(table.length * 2);
            int mask = table.length - 1;
            for (int i = 0; i < size; i++) {
                int at = (int) lows[i] & mask;
                while (table[at] != EMPTY) {
                    at = (at + 1) & mask;
                }
                table[at] = i;
            }
        }
    }
}
