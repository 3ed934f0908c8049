package dev.comporta.console.value;

import dev.comporta.console.table.ColumnType;
import org.jspecify.annotations.Nullable;

/** A value with its type; a NULL has a type too. */
public record TypedValue(ColumnType type, @Nullable Object value) {
    public TypedValue {
        if (!type.accepts(value)) {
            throw new IllegalArgumentException("not a value of type " + type + ": " + value);
        }
    }

    /** Takes the type from the value's Java class. */
    public static TypedValue of(Object value) {
        for (ColumnType type : ColumnType.values()) {
            if (type.accepts(value)) {
                return new TypedValue(type, value);
            }
        }
        throw new IllegalArgumentException("no type for " + value.getClass());
    }
}
