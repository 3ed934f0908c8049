package dev.comporta.tds.token.walk;

import java.util.Arrays;

/**
 * How to skip the values of a result's columns, one int each: the kind in the upper bits, and in the lower ones a fixed
 * width or the longest length that the column's type allows. The arrays are kept and reused.
 */
final class Columns {
    /** No length before the value. */
    static final int FIXED = 0;
    /** A length of one byte; most types use it only to mark null. */
    static final int BYTE_LENGTH = 1;
    /** A length of two bytes, 0xFFFF for null. */
    static final int SHORT_LENGTH = 2;
    /** A length of four bytes. */
    static final int LONG_LENGTH = 3;
    /** A text pointer, a timestamp and a length of four bytes; or a zero byte for null. */
    static final int TEXT_POINTER = 4;
    /** Partially length-prefixed. */
    static final int PLP = 5;

    private static final int KIND_SHIFT = 28;
    private static final int WIDTH_MASK = (1 << KIND_SHIFT) - 1;

    /** Without metadata, rows can't be skipped. */
    private static final int UNKNOWN = -1;

    private static final int INITIAL_COLUMNS = 16;

    private int[] columns = new int[INITIAL_COLUMNS];
    private int count = UNKNOWN;

    /** The columns, with adjacent columns of fixed width merged. */
    private int[] runs = new int[INITIAL_COLUMNS];

    private int runCount;

    /** The length of a row, token included, in which every value has its full length; 0 if there is no single such length. */
    private int fullRow;

    static int of(int kind, int width) {
        return kind << KIND_SHIFT | width;
    }

    static int kind(int column) {
        return column >>> KIND_SHIFT;
    }

    static int width(int column) {
        return column & WIDTH_MASK;
    }

    void forget() {
        count = UNKNOWN;
        runCount = 0;
    }

    void begin() {
        count = 0;
        runCount = 0;
        fullRow = 1;
    }

    /** Grows with the columns received, not with the announced number, which may be false. */
    void add(int column) {
        if (count == columns.length) {
            columns = Arrays.copyOf(columns, 2 * count);
            runs = Arrays.copyOf(runs, 2 * count);
        }
        columns[count++] = column;
        if (fullRow != 0) {
            fullRow = switch (kind(column)) {
                case FIXED -> fullRow + width(column);
                case BYTE_LENGTH -> fullRow + 1 + width(column);
                default -> 0;
            };
        }
        if (kind(column) == FIXED && runCount > 0 && kind(runs[runCount - 1]) == FIXED) {
            runs[runCount - 1] += width(column);
        } else {
            runs[runCount++] = column;
        }
    }

    boolean isKnown() {
        return count != UNKNOWN;
    }

    int count() {
        return count;
    }

    int[] columns() {
        return columns;
    }

    int fullRow() {
        return fullRow;
    }

    int runCount() {
        return runCount;
    }

    int[] runs() {
        return runs;
    }
}
