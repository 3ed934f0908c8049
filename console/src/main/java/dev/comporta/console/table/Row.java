package dev.comporta.console.table;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One immutable row. A value is null or of its column's Java class ({@link ColumnType}). */
public final class Row {
    private final @Nullable Object[] values;

    private Row(@Nullable Object[] values) {
        this.values = values;
    }

    public static Row of(@Nullable Object... values) {
        return new Row(values.clone());
    }

    public static Row of(List<? extends @Nullable Object> values) {
        return new Row(values.toArray());
    }

    /** This row with more values at its end. */
    public Row and(@Nullable Object... more) {
        @Nullable Object[] all = Arrays.copyOf(values, values.length + more.length);
        System.arraycopy(more, 0, all, values.length, more.length);
        return new Row(all);
    }

    public @Nullable Object get(int column) {
        return values[column];
    }

    public int size() {
        return values.length;
    }

    /** Copies the row into a wider one, as a join does. */
    public void copyTo(@Nullable Object[] target, int at) {
        System.arraycopy(values, 0, target, at, values.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Row row && Arrays.equals(values, row.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
