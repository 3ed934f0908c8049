package dev.comporta.console.table;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/** A column's type, by its T-SQL name. Each has one Java class for its values. */
public enum ColumnType {
    BIT(Boolean.class),
    INT(Integer.class),
    BIGINT(Long.class),
    FLOAT(Double.class),
    NVARCHAR(String.class),
    /** In UTC, always. */
    DATETIME2(LocalDateTime.class);

    private final Class<?> javaClass;

    ColumnType(Class<?> javaClass) {
        this.javaClass = javaClass;
    }

    public boolean accepts(@Nullable Object value) {
        return value == null || javaClass.isInstance(value);
    }

    public boolean isNumeric() {
        return this == BIT || isInteger() || this == FLOAT;
    }

    public boolean isInteger() {
        return this == INT || this == BIGINT;
    }
}
