package dev.comporta.jdbc.admin;

import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Conversion;
import dev.comporta.console.value.TypedValue;
import dev.comporta.console.value.ValueException;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Values of the console and of JDBC. Times are UTC on both sides. */
final class Values {
    private Values() {}

    /** A value that the application has set. */
    static TypedValue typed(@Nullable Object value) throws SQLException {
        return switch (value) {
            case null -> new TypedValue(ColumnType.NVARCHAR, null);
            case Boolean b -> TypedValue.of(b);
            case Byte b -> TypedValue.of(b.intValue());
            case Short s -> TypedValue.of(s.intValue());
            case Integer i -> TypedValue.of(i);
            case Long l -> TypedValue.of(l);
            case Float f -> TypedValue.of(f.doubleValue());
            case Double d -> TypedValue.of(d);
            case BigDecimal d -> TypedValue.of(d.doubleValue());
            case Timestamp t -> TypedValue.of(t.toLocalDateTime());
            case Date d -> TypedValue.of(d.toLocalDate().atStartOfDay());
            case LocalDateTime t -> TypedValue.of(t);
            case LocalDate d -> TypedValue.of(d.atStartOfDay());
            case OffsetDateTime t ->
                TypedValue.of(t.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
            case Instant t -> TypedValue.of(LocalDateTime.ofInstant(t, ZoneOffset.UTC));
            case CharSequence text -> TypedValue.of(text.toString());
            default ->
                throw new SQLDataException(
                        "a parameter can't be a " + value.getClass().getName() + ": set a text, a number or a time",
                        "22005");
        };
    }

    /** A value of the console, as a class that the application asks for. */
    static <T> T as(Object value, Class<T> type) throws SQLException {
        Object converted = converted(value, type);
        if (!type.isInstance(converted)) {
            throw new SQLDataException("a value can't be read as a " + type.getName(), "22005");
        }
        return type.cast(converted);
    }

    private static @Nullable Object converted(Object value, Class<?> type) throws SQLException {
        try {
            return switch (type.getSimpleName()) {
                case "Object" -> value instanceof LocalDateTime t ? Timestamp.valueOf(t) : value;
                case "String" -> Conversion.text(value);
                case "Boolean" -> Conversion.convert(value, ColumnType.BIT);
                case "Byte" -> Byte.valueOf(Conversion.text(value));
                case "Short" -> Short.valueOf(Conversion.text(value));
                case "Integer" -> Conversion.convert(value, ColumnType.INT);
                case "Long" -> Conversion.convert(value, ColumnType.BIGINT);
                case "Double" -> Conversion.convert(value, ColumnType.FLOAT);
                case "Float" -> value instanceof Number n ? n.floatValue() : Float.valueOf(Conversion.text(value));
                case "BigDecimal" -> new BigDecimal(Conversion.text(value instanceof Boolean b ? (b ? 1 : 0) : value));
                case "LocalDateTime" -> time(value);
                case "LocalDate" -> time(value).toLocalDate();
                case "LocalTime" -> time(value).toLocalTime();
                case "OffsetDateTime" -> time(value).atOffset(ZoneOffset.UTC);
                case "Instant" -> time(value).toInstant(ZoneOffset.UTC);
                case "Timestamp" -> Timestamp.valueOf(time(value));
                case "Date" -> Date.valueOf(time(value).toLocalDate());
                case "Time" -> Time.valueOf(time(value).toLocalTime().truncatedTo(ChronoUnit.SECONDS));
                default -> null;
            };
        } catch (ValueException | IllegalArgumentException e) {
            throw new SQLDataException(
                    "a value can't be read as a " + type.getSimpleName() + ": " + e.getMessage(), "22018", e);
        }
    }

    private static LocalDateTime time(Object value) {
        Object time = Conversion.convert(value, ColumnType.DATETIME2);
        return time instanceof LocalDateTime t ? t : LocalDateTime.of(LocalDate.EPOCH, LocalTime.MIDNIGHT);
    }

    static int jdbcType(ColumnType type) {
        return switch (type) {
            case BIT -> Types.BOOLEAN;
            case INT -> Types.INTEGER;
            case BIGINT -> Types.BIGINT;
            case FLOAT -> Types.DOUBLE;
            case NVARCHAR -> Types.NVARCHAR;
            case DATETIME2 -> Types.TIMESTAMP;
        };
    }

    static Class<?> javaClass(ColumnType type) {
        return switch (type) {
            case BIT -> Boolean.class;
            case INT -> Integer.class;
            case BIGINT -> Long.class;
            case FLOAT -> Double.class;
            case NVARCHAR -> String.class;
            case DATETIME2 -> Timestamp.class;
        };
    }

    /** The number of digits, or of characters in the longest likely value. */
    static int size(ColumnType type) {
        return switch (type) {
            case BIT -> 1;
            case INT -> 10;
            case BIGINT -> 19;
            case FLOAT -> 15;
            case NVARCHAR -> 4000;
            case DATETIME2 -> 27;
        };
    }
}
