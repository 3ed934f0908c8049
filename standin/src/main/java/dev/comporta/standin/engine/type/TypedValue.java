package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlType;
import org.jspecify.annotations.Nullable;

/** A value with the type it was declared with: a variable's, a parameter's, a system variable's. */
public record TypedValue(SqlType type, @Nullable Object value) {
    public static TypedValue of(int value) {
        return new TypedValue(Types.INT, value);
    }

    public static TypedValue of(String value) {
        return new TypedValue(Types.nvarchar(128), value);
    }
}
