package dev.comporta.standin.engine.function;

import static dev.comporta.standin.engine.function.JavaFunction.lenient;
import static dev.comporta.standin.engine.function.JavaFunction.strict;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.type.Conversion;
import dev.comporta.standin.engine.type.Types;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Functions of dates. The week's first day is Sunday (DATEFIRST 7) unless the caller passes another. */
public final class DateFunctions {
    private static final LocalDate BASE = LocalDate.of(1900, 1, 1);

    private DateFunctions() {}

    static void addTo(Map<String, JavaFunction> functions) {
        now(functions, "GETDATE", Types.DATETIME);
        now(functions, "CURRENT_TIMESTAMP", Types.DATETIME);
        now(functions, "GETUTCDATE", Types.DATETIME);
        now(functions, "SYSDATETIME", Types.DATETIME2);
        now(functions, "SYSUTCDATETIME", Types.DATETIME2);
        now(functions, "SYSDATETIMEOFFSET", Types.DATETIMEOFFSET);
        functions.put("DATEADD", strict(3, 3, DateFunctions::addType, DateFunctions::add));
        functions.put("DATEDIFF", strict(3, 3, t -> Types.INT, a -> Math.toIntExact(difference(a))));
        functions.put("DATEDIFF_BIG", strict(3, 3, t -> Types.BIGINT, DateFunctions::difference));
        functions.put("YEAR", strict(1, 1, t -> Types.INT, a -> time(a, 0).getYear()));
        functions.put("MONTH", strict(1, 1, t -> Types.INT, a -> time(a, 0).getMonthValue()));
        functions.put("DAY", strict(1, 1, t -> Types.INT, a -> time(a, 0).getDayOfMonth()));
        functions.put("EOMONTH", strict(1, 2, t -> Types.DATE, DateFunctions::endOfMonth));
        functions.put("DATEFROMPARTS", strict(3, 3, t -> Types.DATE, DateFunctions::fromParts));
        functions.put("ISDATE", lenient(1, 1, t -> Types.INT, DateFunctions::isDate));
    }

    /** DATEPART and DATENAME for a session's DATEFIRST. */
    public static @Nullable JavaFunction withDateFirst(String name, int dateFirst) {
        return switch (name) {
            case "DATEPART" -> strict(2, 2, t -> Types.INT, a -> part(a.text(0), time(a, 1), dateFirst));
            case "DATENAME" -> strict(2, 2, t -> Types.nvarchar(30), a -> name(a.text(0), time(a, 1), dateFirst));
            default -> null;
        };
    }

    private static void now(Map<String, JavaFunction> functions, String name, SqlType type) {
        functions.put(
                name,
                strict(
                        0,
                        0,
                        t -> type,
                        a -> new Conversion("mdy").convert(Conversion.now(), Types.DATETIMEOFFSET, type)));
    }

    private static String canonical(String part) {
        return switch (part) {
            case "year", "yy", "yyyy" -> "year";
            case "quarter", "qq", "q" -> "quarter";
            case "month", "mm", "m" -> "month";
            case "dayofyear", "dy", "y" -> "dayofyear";
            case "day", "dd", "d" -> "day";
            case "week", "wk", "ww" -> "week";
            case "weekday", "dw", "w" -> "weekday";
            case "iso_week", "isowk", "isoww" -> "iso_week";
            case "hour", "hh" -> "hour";
            case "minute", "mi", "n" -> "minute";
            case "second", "ss", "s" -> "second";
            case "millisecond", "ms" -> "millisecond";
            case "microsecond", "mcs" -> "microsecond";
            case "nanosecond", "ns" -> "nanosecond";
            default ->
                throw new SqlError(
                        155, 15, 1, SqlError.Effect.BATCH, "'" + part + "' is not a recognized datepart option.");
        };
    }

    private static LocalDateTime time(JavaFunction.Arguments a, int index) {
        return switch (a.get(index)) {
            case LocalDateTime time -> time;
            case LocalDate date -> date.atStartOfDay();
            case LocalTime time -> BASE.atTime(time);
            case OffsetDateTime time -> time.toLocalDateTime();
            default -> {
                Object converted =
                        new Conversion("mdy").convert(a.get(index), a.types().get(index), Types.DATETIME);
                yield converted instanceof LocalDateTime time ? time : BASE.atStartOfDay();
            }
        };
    }

    private static SqlType addType(List<SqlType> types) {
        SqlType type = types.get(2);
        return Types.isTemporal(type) ? type : Types.DATETIME;
    }

    private static @Nullable Object add(JavaFunction.Arguments a) {
        LocalDateTime time = time(a, 2);
        int count = a.integer(1);
        LocalDateTime result;
        try {
            result = switch (canonical(a.text(0))) {
                case "year" -> time.plusYears(count);
                case "quarter" -> time.plusMonths(3L * count);
                case "month" -> time.plusMonths(count);
                case "week" -> time.plusWeeks(count);
                case "hour" -> time.plusHours(count);
                case "minute" -> time.plusMinutes(count);
                case "second" -> time.plusSeconds(count);
                case "millisecond" -> time.plusNanos(count * 1_000_000L);
                case "microsecond" -> time.plusNanos(count * 1_000L);
                case "nanosecond" -> time.plusNanos(count);
                default -> time.plusDays(count);
            };
        } catch (DateTimeException e) {
            throw SqlError.terminating(517, 16, 1, "Adding a value to a 'datetime' column caused an overflow.");
        }
        SqlType type = addType(a.types());
        if (a.get(2) instanceof OffsetDateTime original) {
            return result.atOffset(original.getOffset());
        }
        SqlType from = type.name() == Name.TIME ? new SqlType(Name.DATETIME2, 0, 0, 7) : Types.DATETIME2;
        return new Conversion("mdy").convert(result, from, type);
    }

    /** The number of boundaries of the date part between the two: from 23:59 to 00:01 is a day. */
    private static long difference(JavaFunction.Arguments a) {
        LocalDateTime from = time(a, 1);
        LocalDateTime to = time(a, 2);
        return switch (canonical(a.text(0))) {
            case "year" -> (long) to.getYear() - from.getYear();
            case "quarter" -> months(to) / 3 - months(from) / 3;
            case "month" -> months(to) - months(from);
            case "week" -> week(to) - week(from);
            case "hour" -> between(from, to, ChronoUnit.HOURS);
            case "minute" -> between(from, to, ChronoUnit.MINUTES);
            case "second" -> between(from, to, ChronoUnit.SECONDS);
            case "millisecond" -> between(from, to, ChronoUnit.MILLIS);
            case "microsecond" -> between(from, to, ChronoUnit.MICROS);
            case "nanosecond" -> ChronoUnit.NANOS.between(from, to);
            default -> between(from, to, ChronoUnit.DAYS);
        };
    }

    private static long between(LocalDateTime from, LocalDateTime to, ChronoUnit unit) {
        return unit.between(from.truncatedTo(unit), to.truncatedTo(unit));
    }

    private static long months(LocalDateTime time) {
        return time.getYear() * 12L + time.getMonthValue() - 1;
    }

    /** DATEDIFF's weeks begin on Sunday whatever DATEFIRST is. */
    private static long week(LocalDateTime time) {
        return Math.floorDiv(time.toLocalDate().toEpochDay() + 4, 7);
    }

    private static int part(String name, LocalDateTime time, int dateFirst) {
        return switch (canonical(name)) {
            case "year" -> time.getYear();
            case "quarter" -> time.get(IsoFields.QUARTER_OF_YEAR);
            case "month" -> time.getMonthValue();
            case "dayofyear" -> time.getDayOfYear();
            case "week" -> {
                LocalDate first = LocalDate.of(time.getYear(), 1, 1);
                yield (time.getDayOfYear() + weekday(first, dateFirst) - 2) / 7 + 1;
            }
            case "weekday" -> weekday(time.toLocalDate(), dateFirst);
            case "iso_week" -> time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
            case "hour" -> time.getHour();
            case "minute" -> time.getMinute();
            case "second" -> time.getSecond();
            case "millisecond" -> (int) (time.toLocalTime().toNanoOfDay() % 1_000_000_000L / 1_000_000L);
            case "microsecond" -> (int) (time.toLocalTime().toNanoOfDay() % 1_000_000_000L / 1_000L);
            case "nanosecond" -> (int) (time.toLocalTime().toNanoOfDay() % 1_000_000_000L);
            default -> time.getDayOfMonth();
        };
    }

    private static int weekday(LocalDate date, int dateFirst) {
        return Math.floorMod(date.getDayOfWeek().getValue() - dateFirst, 7) + 1;
    }

    private static String name(String part, LocalDateTime time, int dateFirst) {
        return switch (canonical(part)) {
            case "month" -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.US);
            case "weekday" -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.US);
            default -> String.valueOf(part(part, time, dateFirst));
        };
    }

    private static LocalDate endOfMonth(JavaFunction.Arguments a) {
        LocalDate date = time(a, 0).toLocalDate().plusMonths(a.count() > 1 ? a.integer(1) : 0);
        return date.withDayOfMonth(date.lengthOfMonth());
    }

    private static LocalDate fromParts(JavaFunction.Arguments a) {
        try {
            return LocalDate.of(a.integer(0), a.integer(1), a.integer(2));
        } catch (DateTimeException e) {
            String text = "Cannot construct data type date, some of the arguments have values which are not valid.";
            throw SqlError.statement(289, 16, 1, text);
        }
    }

    private static Object isDate(JavaFunction.Arguments a) {
        if (a.isNull(0)) {
            return 0;
        }
        try {
            new Conversion("mdy").convert(a.get(0), a.types().getFirst(), Types.DATETIME);
            return 1;
        } catch (SqlError e) {
            return 0;
        }
    }
}
