package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Types;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.sql.TypeName;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Conversion;
import dev.comporta.console.value.ValueException;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CAST, CONVERT and their TRY_ forms. */
final class Casts {
    // 120 and 121 are the format used without a style; 126 has a T between date and time.
    private static final Set<Integer> STYLES = Set.of(0, 120, 121, 126, 127);

    private Casts() {}

    static Bound bind(Expr.Cast cast, Bound operand) {
        if (!STYLES.contains(cast.style())) {
            throw new SqlError(
                    281, cast.at(), "CONVERT supports the styles 120, 121 and 126, not " + cast.style() + ".");
        }
        ColumnType type = Types.of(cast.type());
        if (!cast.tolerant()) {
            return Bound.guarded(type, cast.at(), frame -> convert(cast, type, operand.value(frame)));
        }
        return new Bound(type, frame -> {
            try {
                return convert(cast, type, operand.value(frame));
            } catch (ValueException e) {
                return null;
            }
        });
    }

    private static @Nullable Object convert(Expr.Cast cast, ColumnType type, @Nullable Object value) {
        if (value instanceof LocalDateTime time && type == ColumnType.NVARCHAR && cast.style() >= 126) {
            return truncated(cast.type(), Conversion.time(time, 'T'));
        }
        return switch (Conversion.convert(value, type)) {
            case null -> null;
            case String text -> truncated(cast.type(), text);
            case Integer number -> ranged(cast.type(), number);
            case LocalDateTime time when cast.type().name().equals("date") -> time.truncatedTo(ChronoUnit.DAYS);
            case Object other -> other;
        };
    }

    private static String truncated(TypeName type, String text) {
        int length = type.length();
        return length > 0 && text.length() > length ? text.substring(0, length) : text;
    }

    private static Integer ranged(TypeName type, Integer number) {
        boolean fits = switch (type.name()) {
            case "tinyint" -> number >= 0 && number <= 255;
            case "smallint" -> number == number.shortValue();
            default -> true;
        };
        if (!fits) {
            throw new ValueException(
                    220, "Arithmetic overflow error for data type " + type.name() + ", value = " + number + ".");
        }
        return number;
    }
}
