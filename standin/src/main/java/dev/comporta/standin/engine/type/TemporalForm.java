package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** Converts dates and times to each other: each type's range and precision. */
final class TemporalForm {
    private static final LocalDateTime BASE = LocalDate.of(1900, 1, 1).atStartOfDay();
    private static final BigDecimal NANOS_PER_DAY = BigDecimal.valueOf(86_400_000_000_000L);

    private TemporalForm() {}

    static Object convert(Object value, SqlType from, SqlType to) {
        if (to.name() == Name.DATETIMEOFFSET && value instanceof OffsetDateTime time) {
            LocalDateTime local = rounded(time.toLocalDateTime(), to.scale());
            return local.atOffset(time.getOffset());
        }
        LocalDateTime time = switch (value) {
            case LocalDateTime t -> t;
            case LocalDate d -> d.atStartOfDay();
            case LocalTime t -> BASE.toLocalDate().atTime(t);
            case OffsetDateTime t -> t.toLocalDateTime();
            default -> throw SqlError.operandClash(Types.name(from), Types.name(to));
        };
        if ((value instanceof LocalDate && to.name() == Name.TIME)
                || (value instanceof LocalTime && to.name() == Name.DATE)) {
            throw SqlError.operandClash(Types.name(from), Types.name(to));
        }
        return switch (to.name()) {
            case DATE -> time.toLocalDate();
            case TIME -> rounded(time, to.scale()).toLocalTime();
            case DATETIME -> datetime(time, from);
            case SMALLDATETIME -> smalldatetime(time, from);
            case DATETIME2 -> rounded(time, to.scale());
            default -> rounded(time, to.scale()).atOffset(ZoneOffset.UTC);
        };
    }

    private static LocalDateTime rounded(LocalDateTime time, int digits) {
        long unit = 1_000_000_000L;
        for (int i = 0; i < digits; i++) {
            unit /= 10;
        }
        long nanos = (time.get(ChronoField.NANO_OF_SECOND) + unit / 2) / unit * unit;
        return time.truncatedTo(ChronoUnit.SECONDS).plusNanos(nanos);
    }

    /** Rounds to the nearest of 300 ticks a second, which are shown as .000, .003 and .007. */
    private static LocalDateTime datetime(LocalDateTime time, SqlType from) {
        if (time.getYear() < 1753) {
            throw outOfRange(from, "datetime");
        }
        long ticks = Math.round(time.get(ChronoField.NANO_OF_SECOND) * 300.0 / 1_000_000_000.0);
        long millis = Math.round(ticks * 10.0 / 3.0);
        return time.truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofMillis(millis));
    }

    private static LocalDateTime smalldatetime(LocalDateTime time, SqlType from) {
        LocalDateTime rounded = time.truncatedTo(ChronoUnit.MINUTES);
        // 29.998 seconds is the last that rounds down.
        if (time.getSecond() * 1000L + time.getNano() / 1_000_000L > 29_998) {
            rounded = rounded.plusMinutes(1);
        }
        if (rounded.getYear() < 1900 || rounded.isAfter(LocalDateTime.of(2079, 6, 6, 23, 59))) {
            throw outOfRange(from, "smalldatetime");
        }
        return rounded;
    }

    private static SqlError outOfRange(SqlType from, String to) {
        String text = "The conversion of a " + Types.name(from) + " data type to a " + to
                + " data type resulted in an out-of-range value.";
        return new SqlError(242, 16, 3, SqlError.Effect.ROLLBACK, text);
    }

    static BigDecimal daysSince1900(LocalDateTime time) {
        Duration since = Duration.between(BASE, time);
        BigDecimal nanos =
                BigDecimal.valueOf(since.getSeconds()).movePointRight(9).add(BigDecimal.valueOf(since.getNano()));
        return nanos.divide(NANOS_PER_DAY, 17, RoundingMode.HALF_UP);
    }

    static LocalDateTime fromDays(BigDecimal days) {
        long whole = days.setScale(0, RoundingMode.FLOOR).longValue();
        BigDecimal rest = days.subtract(BigDecimal.valueOf(whole));
        return BASE.plusDays(whole).plusNanos(rest.multiply(NANOS_PER_DAY).longValue());
    }
}
