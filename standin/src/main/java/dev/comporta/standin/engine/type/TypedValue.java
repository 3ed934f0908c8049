package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlType;
import org.jspecify.annotations.Nullable;

/** A value with its declared type: of a variable, a parameter or a system variable. */
public record TypedValue(SqlType type, @Nullable Object value) {
    public static TypedValue of(int value) {
        return new TypedValue(Types.INT, value);
    }

    public static TypedValue of(String value) {
        return new TypedValue(Types.nvarchar(128), value);
    }
}
