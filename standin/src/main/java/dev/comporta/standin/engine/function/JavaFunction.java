package dev.comporta.standin.engine.function;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.type.TextForm;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A T-SQL function in Java.
 *
 * @param folds whether the same arguments give the same value within a statement, so that it is computed once
 */
public record JavaFunction(int least, int most, boolean folds, Function<List<SqlType>, SqlType> result, Body body) {

    /** Computes the function's value. */
    public interface Body {
        @Nullable
        Object apply(Arguments arguments);
    }

    /** The values of a call's arguments, with their types in the query. */
    public record Arguments(List<SqlType> types, List<@Nullable Object> values) {
        public boolean isNull(int index) {
            return index >= values.size() || values.get(index) == null;
        }

        public Object get(int index) {
            Object value = values.get(index);
            if (value == null) {
                throw new IllegalStateException("argument " + index + " is null");
            }
            return value;
        }

        public String text(int index) {
            Object value = get(index);
            return value instanceof String text ? text : TextForm.of(value, types.get(index), -1);
        }

        public int integer(int index) {
            Object value = get(index);
            if (value instanceof Number number) {
                return number.intValue();
            }
            if (value instanceof Boolean flag) {
                return flag ? 1 : 0;
            }
            throw SqlError.unsupported("an argument of this type");
        }

        public int count() {
            return values.size();
        }
    }

    /** A function that returns null if any argument is null. */
    public static JavaFunction strict(int least, int most, Function<List<SqlType>, SqlType> result, Body body) {
        return new JavaFunction(least, most, true, result, arguments -> {
            for (Object value : arguments.values()) {
                if (value == null) {
                    return null;
                }
            }
            return body.apply(arguments);
        });
    }

    public static JavaFunction lenient(int least, int most, Function<List<SqlType>, SqlType> result, Body body) {
        return new JavaFunction(least, most, true, result, body);
    }
}
