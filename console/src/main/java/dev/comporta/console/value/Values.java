package dev.comporta.console.value;

import dev.comporta.console.table.ColumnType;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/** Compares values, and finds the common type of two values of different types. */
public final class Values {
    private Values() {}

    /** T-SQL's precedence: the other operand is converted to the type that comes first. */
    public static ColumnType common(ColumnType a, ColumnType b) {
        for (ColumnType type : PRECEDENCE) {
            if (type == a || type == b) {
                return type;
            }
        }
        return a;
    }

    private static final ColumnType[] PRECEDENCE = {
        ColumnType.DATETIME2, ColumnType.FLOAT, ColumnType.BIGINT, ColumnType.INT, ColumnType.BIT, ColumnType.NVARCHAR
    };

    /** Orders two values of one type. */
    public static int compare(Object a, Object b) {
        return switch (a) {
            case String text -> Collation.compare(text, (String) b);
            case Boolean bit -> bit.compareTo((Boolean) b);
            case Integer number -> number.compareTo((Integer) b);
            case Long number -> number.compareTo((Long) b);
            case Double number -> Double.compare(number + 0.0, (Double) b + 0.0);
            case LocalDateTime time -> time.compareTo((LocalDateTime) b);
            default -> throw new IllegalStateException("not a value: " + a.getClass());
        };
    }

    /** Equal for values that compare as equal, for grouping; NULL groups with NULL. */
    public static Object key(@Nullable Object value) {
        return switch (value) {
            case null -> NoValue.NULL;
            case String text -> Collation.key(text);
            case Double number -> number + 0.0;
            default -> value;
        };
    }

    /** What {@link #orderKeys} compares: computed once for each row, not once for each comparison. */
    public static @Nullable Object sortKey(@Nullable Object value) {
        return value == null ? null : key(value);
    }

    /** Orders two sort keys of values of one type, ascending: NULL comes first, as in SQL Server. */
    @SuppressWarnings("unchecked")
    public static int orderKeys(@Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            return Boolean.compare(a != null, b != null);
        }
        return ((Comparable<Object>) a).compareTo(b);
    }

    private enum NoValue {
        NULL
    }
}
