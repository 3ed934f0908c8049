package dev.comporta.tds.type;

import dev.comporta.tds.ProtocolException;
import io.netty.buffer.ByteBuf;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Dates and times, rounded as SQL Server rounds them. */
final class Temporals {
    private static final long DAYS_TO_1900 = LocalDate.of(1900, 1, 1).toEpochDay();
    private static final long DAYS_TO_YEAR_1 = LocalDate.of(1, 1, 1).toEpochDay();
    private static final long DAYS_TO_END = LocalDate.of(9999, 12, 31).toEpochDay();
    private static final long NANOS_PER_DAY = 86_400_000_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** datetime counts three-hundredths of a second. */
    private static final long TICKS_PER_SECOND = 300;

    private static final long TICKS_PER_DAY = 86_400 * TICKS_PER_SECOND;
    private static final long TICKS_PER_MINUTE = 60 * TICKS_PER_SECOND;
    private static final long MINUTES_PER_DAY = 24 * 60;

    /** Nanoseconds in one unit of a time, by scale. */
    private static final long[] UNIT_NANOS = {
        NANOS_PER_SECOND, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100
    };

    private Temporals() {}

    static int timeLength(int scale) {
        if (scale < 0 || scale > 7) {
            throw new IllegalArgumentException("scale " + scale);
        }
        return scale <= 2 ? 3 : scale <= 4 ? 4 : 5;
    }

    static LocalDate readDate(ByteBuf in) {
        return date(in.readUnsignedMediumLE() + DAYS_TO_YEAR_1);
    }

    static void writeDate(ByteBuf out, LocalDate value) {
        out.writeMediumLE((int) daysFromYear1(value.toEpochDay()));
    }

    static LocalTime readTime(ByteBuf in, int length, int scale) {
        return LocalTime.ofNanoOfDay(nanos(in, length, scale));
    }

    /** A time that rounds up to midnight becomes 00:00, because there is no date to carry into. */
    static void writeTime(ByteBuf out, LocalTime value, int scale) {
        writeUnits(out, units(value, scale) % (NANOS_PER_DAY / UNIT_NANOS[scale]), scale);
    }

    static LocalDateTime readDateTime2(ByteBuf in, int length, int scale) {
        LocalTime time = readTime(in, length - 3, scale);
        return readDate(in).atTime(time);
    }

    static void writeDateTime2(ByteBuf out, LocalDateTime value, int scale) {
        long units = units(value.toLocalTime(), scale);
        long unitsPerDay = NANOS_PER_DAY / UNIT_NANOS[scale];
        long days = value.toLocalDate().toEpochDay() + units / unitsPerDay;
        if (days > DAYS_TO_END) {
            days = DAYS_TO_END;
            units = unitsPerDay - 1;
        }
        writeUnits(out, units % unitsPerDay, scale);
        out.writeMediumLE((int) daysFromYear1(days));
    }

    /** The date and time are UTC; the offset is in minutes. */
    static OffsetDateTime readDateTimeOffset(ByteBuf in, int length, int scale) {
        LocalDateTime utc = readDateTime2(in, length - 2, scale);
        int minutes = in.readShortLE();
        try {
            return utc.atOffset(ZoneOffset.UTC).withOffsetSameInstant(ZoneOffset.ofTotalSeconds(minutes * 60));
        } catch (DateTimeException _) {
            throw new ProtocolException("time zone offset of %d minutes".formatted(minutes));
        }
    }

    static void writeDateTimeOffset(ByteBuf out, OffsetDateTime value, int scale) {
        writeDateTime2(out, value.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime(), scale);
        out.writeShortLE(value.getOffset().getTotalSeconds() / 60);
    }

    static LocalDateTime readDateTime(ByteBuf in, int length) {
        if (length == 4) {
            LocalDate day = date(in.readUnsignedShortLE() + DAYS_TO_1900);
            return day.atStartOfDay().plusMinutes(in.readUnsignedShortLE());
        }
        LocalDate day = date(in.readIntLE() + DAYS_TO_1900);
        long ticks = in.readUnsignedIntLE();
        if (ticks >= TICKS_PER_DAY) {
            throw new ProtocolException("datetime with %d ticks in its day".formatted(ticks));
        }
        // Rounded to milliseconds as SQL Server displays them: .000, .003, .007.
        return day.atTime(LocalTime.ofNanoOfDay((ticks * 10 + 1) / 3 * 1_000_000));
    }

    static void writeDateTime(ByteBuf out, LocalDateTime value, int length) {
        long nanos = value.toLocalTime().toNanoOfDay();
        long ticks = (nanos * TICKS_PER_SECOND + NANOS_PER_SECOND / 2) / NANOS_PER_SECOND;
        long days = value.toLocalDate().toEpochDay() - DAYS_TO_1900;
        if (length == 4) {
            // Through ticks, so that 29.999 seconds count as half a minute but 29.998 don't.
            long minutes = (ticks + TICKS_PER_MINUTE / 2) / TICKS_PER_MINUTE;
            days += minutes / MINUTES_PER_DAY;
            if (days < 0 || days > 0xFFFF) {
                throw new IllegalArgumentException(value + " does not fit smalldatetime");
            }
            out.writeShortLE((int) days);
            out.writeShortLE((int) (minutes % MINUTES_PER_DAY));
        } else {
            out.writeIntLE(Math.toIntExact(days + ticks / TICKS_PER_DAY));
            out.writeIntLE((int) (ticks % TICKS_PER_DAY));
        }
    }

    private static long nanos(ByteBuf in, int length, int scale) {
        if (length < 3 || length > 5) {
            throw new ProtocolException("time of %d bytes".formatted(length));
        }
        long count = in.readUnsignedMediumLE();
        for (int i = 3; i < length; i++) {
            count |= (long) in.readUnsignedByte() << (8 * i);
        }
        // Checked before the multiplication, which a five-byte count of whole seconds would overflow.
        if (count >= NANOS_PER_DAY / UNIT_NANOS[scale]) {
            throw new ProtocolException("time of %d units at scale %d is beyond the day".formatted(count, scale));
        }
        return count * UNIT_NANOS[scale];
    }

    private static long units(LocalTime value, int scale) {
        return (value.toNanoOfDay() + UNIT_NANOS[scale] / 2) / UNIT_NANOS[scale];
    }

    private static void writeUnits(ByteBuf out, long units, int scale) {
        for (int i = 0; i < timeLength(scale); i++) {
            out.writeByte((int) (units >> (8 * i)));
        }
    }

    private static long daysFromYear1(long epochDay) {
        if (epochDay < DAYS_TO_YEAR_1 || epochDay > DAYS_TO_END) {
            throw new IllegalArgumentException(LocalDate.ofEpochDay(epochDay) + " is outside the years 1 to 9999");
        }
        return epochDay - DAYS_TO_YEAR_1;
    }

    private static LocalDate date(long epochDay) {
        if (epochDay < DAYS_TO_YEAR_1 || epochDay > DAYS_TO_END) {
            throw new ProtocolException("a date outside the years 1 to 9999");
        }
        return LocalDate.ofEpochDay(epochDay);
    }
}
