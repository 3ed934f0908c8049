package dev.comporta.console.eval.scalar;

import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Conversion;
import dev.comporta.console.value.ValueException;
import org.jspecify.annotations.Nullable;

/**
 * An expression whose names and types are known.
 *
 * @param type null for a NULL that may become any type
 */
public record Bound(@Nullable ColumnType type, Evaluation evaluation) {
    public interface Evaluation {
        @Nullable
        Object value(Frame frame);
    }

    public interface Condition {
        /** Null means unknown. */
        @Nullable
        Boolean holds(Frame frame);
    }

    public static Bound constant(ColumnType type, @Nullable Object value) {
        return new Bound(type, _ -> value);
    }

    public @Nullable Object value(Frame frame) {
        return evaluation.value(frame);
    }

    /** The type; INT for an untyped NULL, as in SQL Server. */
    public ColumnType typeOrInt() {
        return type == null ? ColumnType.INT : type;
    }

    public Bound as(ColumnType target, Position at) {
        if (type == target) {
            return this;
        }
        if (type == null) {
            return new Bound(target, evaluation);
        }
        return guarded(target, at, frame -> Conversion.convert(evaluation.value(frame), target));
    }

    /** Reports a value that can't be computed at the position of the expression. */
    public static Bound guarded(ColumnType type, Position at, Evaluation evaluation) {
        return new Bound(type, frame -> {
            try {
                return evaluation.value(frame);
            } catch (ValueException e) {
                throw new SqlError(e.number(), at, e.getMessage() == null ? "" : e.getMessage());
            }
        });
    }
}
