package dev.comporta.console.eval.function;

import static dev.comporta.console.table.ColumnType.BIGINT;
import static dev.comporta.console.table.ColumnType.DATETIME2;
import static dev.comporta.console.table.ColumnType.INT;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.ValueException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Functions on times. All times are in UTC, those of GETDATE included. */
final class TimeFunctions {
    private static final Map<String, ChronoUnit> PARTS = new TreeMap<>();

    static {
        part(ChronoUnit.YEARS, "year", "yy", "yyyy");
        part(ChronoUnit.MONTHS, "month", "mm", "m");
        part(ChronoUnit.DAYS, "day", "dd", "d");
        part(ChronoUnit.HOURS, "hour", "hh");
        part(ChronoUnit.MINUTES, "minute", "mi", "n");
        part(ChronoUnit.SECONDS, "second", "ss", "s");
        part(ChronoUnit.MILLIS, "millisecond", "ms");
        part(ChronoUnit.MICROS, "microsecond", "mcs");
        part(ChronoUnit.NANOS, "nanosecond", "ns");
    }

    private TimeFunctions() {}

    private static void part(ChronoUnit unit, String... names) {
        for (String name : names) {
            PARTS.put(name, unit);
        }
    }

    static void addTo(Map<String, Functions.Definition> all) {
        for (String name : List.of("GETDATE", "GETUTCDATE", "SYSDATETIME", "SYSUTCDATETIME", "CURRENT_TIMESTAMP")) {
            all.put(name, new Functions.Definition(0, 0, TimeFunctions::now));
        }
        all.put("DATEDIFF", new Functions.Definition(3, 3, call -> difference(call, INT)));
        all.put("DATEDIFF_BIG", new Functions.Definition(3, 3, call -> difference(call, BIGINT)));
        all.put("DATEADD", new Functions.Definition(3, 3, TimeFunctions::add));
    }

    private static Bound now(Invocation call) {
        return Bound.constant(DATETIME2, call.surroundings().now());
    }

    private static ChronoUnit unit(Invocation call) {
        Expr part = call.call().arguments().getFirst();
        String name = part instanceof Expr.Name written ? written.toString().toLowerCase(Locale.ROOT) : "";
        ChronoUnit unit = PARTS.get(name);
        if (unit == null) {
            String nearest = NearestName.among(PARTS.keySet(), name)
                    .map(near -> " Did you mean " + near + "?")
                    .orElse(" Write second, millisecond, minute, hour or day.");
            throw new SqlError(
                    155,
                    part.at(),
                    "'" + name + "' is not a part of a date for " + call.call().name() + "." + nearest);
        }
        return unit;
    }

    // T-SQL counts the boundaries crossed: from 10:00:59 to 10:01:00 it is one minute.
    private static Bound difference(Invocation call, ColumnType type) {
        ChronoUnit unit = unit(call);
        return call.strict(1, type, List.of(DATETIME2, DATETIME2), arguments -> {
            LocalDateTime from = floor((LocalDateTime) arguments[0], unit);
            LocalDateTime to = floor((LocalDateTime) arguments[1], unit);
            long count;
            try {
                count = unit.between(from, to);
            } catch (ArithmeticException e) {
                throw tooFar();
            }
            if (type == BIGINT) {
                return count;
            }
            if (count != (int) count) {
                throw tooFar();
            }
            return (int) count;
        });
    }

    private static ValueException tooFar() {
        return new ValueException(535, "DATEDIFF resulted in an overflow. Use DATEDIFF_BIG, or a larger unit.");
    }

    private static LocalDateTime floor(LocalDateTime time, ChronoUnit unit) {
        return switch (unit) {
            case YEARS -> time.withDayOfYear(1).truncatedTo(ChronoUnit.DAYS);
            case MONTHS -> time.withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS);
            default -> time.truncatedTo(unit);
        };
    }

    private static Bound add(Invocation call) {
        ChronoUnit unit = unit(call);
        return call.strict(1, DATETIME2, List.of(BIGINT, DATETIME2), arguments -> {
            try {
                LocalDateTime sum = ((LocalDateTime) arguments[1]).plus((Long) arguments[0], unit);
                if (sum.getYear() < 1 || sum.getYear() > 9999) {
                    throw new ValueException(517, "DATEADD left the range of dates.");
                }
                return sum;
            } catch (DateTimeException | ArithmeticException e) {
                throw new ValueException(517, "DATEADD left the range of dates.");
            }
        });
    }
}
