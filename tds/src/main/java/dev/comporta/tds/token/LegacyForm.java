package dev.comporta.tds.token;

import dev.comporta.tds.TdsVersion;
import dev.comporta.tds.type.Collation;
import dev.comporta.tds.type.DataType;
import dev.comporta.tds.type.TypeInfo;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import org.jspecify.annotations.Nullable;

/** What SQL Server sends to clients whose version lacks a type: dates as text, (max) types as TEXT, NTEXT and IMAGE. */
final class LegacyForm {
    private LegacyForm() {}

    static TypeInfo typeFor(TypeInfo type, TdsVersion version) {
        if (!version.hasDateTypes() && isNewDate(type.type())) {
            int fraction = type.scale() == 0 ? 0 : type.scale() + 1;
            return switch (type.type()) {
                case DATEN -> TypeInfo.nvarchar(10);
                case TIMEN -> TypeInfo.nvarchar(8 + fraction);
                case DATETIME2N -> TypeInfo.nvarchar(19 + fraction);
                default -> TypeInfo.nvarchar(26 + fraction);
            };
        }
        if (!version.hasPartialLengthValues() && type.isPlp()) {
            Collation collation = type.collation() == null ? Collation.DEFAULT : type.collation();
            return switch (type.type()) {
                case BIGVARBIN, UDT -> TypeInfo.image();
                case BIGVARCHR -> TypeInfo.text().with(collation);
                default -> TypeInfo.ntext().with(collation);
            };
        }
        return type;
    }

    static @Nullable Object valueFor(TypeInfo type, TypeInfo wireType, @Nullable Object value) {
        if (type.equals(wireType) || !isNewDate(type.type()) || value == null) {
            return value;
        }
        return text(type, (TemporalAccessor) value);
    }

    private static boolean isNewDate(DataType type) {
        return type == DataType.DATEN
                || type == DataType.TIMEN
                || type == DataType.DATETIME2N
                || type == DataType.DATETIMEOFFSETN;
    }

    private static String text(TypeInfo type, TemporalAccessor value) {
        DateTimeFormatterBuilder format = new DateTimeFormatterBuilder();
        if (type.type() != DataType.TIMEN) {
            format.appendPattern("uuuu-MM-dd");
        }
        if (type.type() != DataType.DATEN) {
            format.appendPattern(type.type() == DataType.TIMEN ? "HH:mm:ss" : " HH:mm:ss");
            if (type.scale() > 0) {
                format.appendFraction(ChronoField.NANO_OF_SECOND, type.scale(), type.scale(), true);
            }
        }
        DateTimeFormatter formatter = format.toFormatter();
        String text = formatter.format(value);
        if (value instanceof OffsetDateTime offset) {
            int minutes = offset.getOffset().getTotalSeconds() / 60;
            text += " %s%02d:%02d".formatted(minutes < 0 ? "-" : "+", Math.abs(minutes) / 60, Math.abs(minutes) % 60);
        }
        return text;
    }
}
