package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Conversions between types, with SQL Server's errors. Casts, assignments, parameters and mixed comparisons all use this
 * class.
 *
 * @param dateFormat the session's DATEFORMAT, such as mdy
 */
public record Conversion(String dateFormat) {
    private static final BigDecimal MOST_MONEY = new BigDecimal("922337203685477.5807");
    private static final BigDecimal MOST_SMALLMONEY = new BigDecimal("214748.3647");

    public @Nullable Object convert(@Nullable Object value, SqlType from, SqlType to) {
        return convert(value, from, to, -1);
    }

    /** @param style CONVERT's third argument, or -1 if there is none */
    public @Nullable Object convert(@Nullable Object value, SqlType from, SqlType to, int style) {
        if (value == null) {
            return null;
        }
        if (from.name() == Name.SQL_VARIANT && to.name() != Name.SQL_VARIANT) {
            return convert(value, typeOf(value), to, style);
        }
        return switch (to.name()) {
            case BIT -> toBit(value, from);
            case TINYINT, SMALLINT, INT, BIGINT -> toInteger(value, from, to);
            case DECIMAL, NUMERIC -> toDecimal(value, from, to);
            case SMALLMONEY, MONEY -> toMoney(value, from, to);
            case REAL -> (float) toDouble(value, from, to);
            case FLOAT -> toDouble(value, from, to);
            case DATE, TIME, DATETIME, SMALLDATETIME, DATETIME2, DATETIMEOFFSET -> toTemporal(value, from, to);
            case CHAR, VARCHAR, NCHAR, NVARCHAR, TEXT, NTEXT, XML -> toText(value, from, to, style);
            case BINARY, VARBINARY, IMAGE, ROWVERSION -> BinaryForm.of(value, from, to, style);
            case UNIQUEIDENTIFIER -> toUuid(value, from);
            case SQL_VARIANT -> value;
        };
    }

    /** The type of a sql_variant's value. */
    public static SqlType typeOf(Object value) {
        return switch (value) {
            case Boolean b -> Types.BIT;
            case Short s -> Types.SMALLINT;
            case Integer i -> Types.INT;
            case Long l -> Types.BIGINT;
            case BigDecimal d -> Types.numeric(Math.max(1, Math.max(d.precision(), d.scale())), Math.max(0, d.scale()));
            case Float f -> Types.REAL;
            case Double d -> Types.FLOAT;
            case LocalDate d -> Types.DATE;
            case LocalTime t -> new SqlType(Name.TIME, 0, 0, 7);
            case LocalDateTime t -> Types.DATETIME2;
            case OffsetDateTime t -> Types.DATETIMEOFFSET;
            case byte[] b -> Types.varbinary(Math.max(1, Math.min(8000, b.length)));
            case UUID u -> Types.UNIQUEIDENTIFIER;
            default ->
                Types.nvarchar(Math.max(1, Math.min(4000, value.toString().length())));
        };
    }

    private static Object toBit(Object value, SqlType from) {
        if (value instanceof Boolean) {
            return value;
        }
        if (value instanceof String text) {
            String trimmed = text.strip();
            if (trimmed.equalsIgnoreCase("true")) {
                return true;
            }
            if (trimmed.equalsIgnoreCase("false") || trimmed.isEmpty()) {
                return false;
            }
        }
        if (value instanceof byte[] bytes) {
            return bytes.length > 0 && bytes[bytes.length - 1] != 0;
        }
        return number(value, from, Types.BIT).signum() != 0;
    }

    private static Object toInteger(Object value, SqlType from, SqlType to) {
        BigDecimal number = number(value, from, to);
        RoundingMode rounding = Types.isMoney(from) ? RoundingMode.HALF_UP : RoundingMode.DOWN;
        BigInteger whole = number.setScale(0, rounding).toBigInteger();
        if (whole.bitLength() > 63 || !fits(whole.longValue(), to.name())) {
            throw integerOverflow(value, from, to);
        }
        long result = whole.longValue();
        return switch (to.name()) {
            case TINYINT, SMALLINT -> (short) result;
            case INT -> (int) result;
            default -> result;
        };
    }

    private static boolean fits(long value, Name name) {
        return switch (name) {
            case TINYINT -> value >= 0 && value <= 255;
            case SMALLINT -> value == (short) value;
            case INT -> value == (int) value;
            default -> true;
        };
    }

    private static SqlError integerOverflow(Object value, SqlType from, SqlType to) {
        if (Types.isText(from) && to.name() == Name.INT) {
            String text =
                    "The conversion of the " + Types.name(from) + " value '" + value + "' overflowed an int column.";
            return new SqlError(248, 16, 1, SqlError.Effect.ROLLBACK, text);
        }
        if (Types.isText(from) && to.name() != Name.BIGINT) {
            String text = "The conversion of the " + Types.name(from) + " value '" + value + "' overflowed an INT"
                    + (to.name() == Name.TINYINT ? "1" : "2") + " column. Use a larger integer column.";
            return new SqlError(244, 16, to.name() == Name.TINYINT ? 1 : 2, SqlError.Effect.ROLLBACK, text);
        }
        if (Types.isInteger(from) && to.name() != Name.INT) {
            String text = "Arithmetic overflow error for data type " + Types.name(to) + ", value = " + value + ".";
            return SqlError.terminating(220, 16, to.name() == Name.TINYINT ? 2 : 1, text);
        }
        return SqlError.overflow(Types.name(to));
    }

    private static Object toDecimal(Object value, SqlType from, SqlType to) {
        BigDecimal number = number(value, from, to).setScale(to.scale(), RoundingMode.HALF_UP);
        if (number.precision() - number.scale() > to.precision() - to.scale()) {
            String text = "Arithmetic overflow error converting " + Types.name(from) + " to data type " + Types.name(to)
                    + ".";
            throw SqlError.terminating(8115, 16, 8, text);
        }
        return number;
    }

    private static Object toMoney(Object value, SqlType from, SqlType to) {
        Object plain = value;
        if (value instanceof String text) {
            plain = text.replace("$", "").replace(",", "");
        }
        BigDecimal number = number(plain, from, to).setScale(4, RoundingMode.HALF_UP);
        // Ten-thousandths in a long or an int, whose least value is one further from zero than the greatest.
        BigDecimal most = to.name() == Name.MONEY ? MOST_MONEY : MOST_SMALLMONEY;
        BigDecimal least = most.add(most.ulp()).negate();
        if (number.compareTo(most) > 0 || number.compareTo(least) < 0) {
            throw SqlError.overflow(Types.name(to));
        }
        return number;
    }

    private static double toDouble(Object value, SqlType from, SqlType to) {
        if (value instanceof Double number) {
            return number;
        }
        if (value instanceof Float number) {
            return number;
        }
        return number(value, from, to).doubleValue();
    }

    private static BigDecimal number(Object value, SqlType from, SqlType to) {
        return switch (value) {
            case Boolean flag -> flag ? BigDecimal.ONE : BigDecimal.ZERO;
            case BigDecimal number -> number;
            case Double number -> new BigDecimal(number);
            case Float number -> new BigDecimal(number.toString());
            case Number number -> BigDecimal.valueOf(number.longValue());
            case String text -> parseNumber(text, from, to);
            case byte[] bytes -> new BigDecimal(new BigInteger(lastEight(bytes)));
            case LocalDateTime time when Types.isTemporal(from) -> TemporalForm.daysSince1900(time);
            default -> throw SqlError.notAllowed(Types.name(from), Types.name(to));
        };
    }

    private static byte[] lastEight(byte[] bytes) {
        byte[] eight = new byte[8];
        int length = Math.min(8, bytes.length);
        System.arraycopy(bytes, bytes.length - length, eight, 8 - length, length);
        return eight;
    }

    private static BigDecimal parseNumber(String text, SqlType from, SqlType to) {
        String trimmed = text.strip();
        try {
            if (trimmed.isEmpty() && !Types.isDecimal(to)) {
                return BigDecimal.ZERO;
            }
            boolean wholeOnly = Types.isInteger(to);
            if (wholeOnly && !trimmed.chars().allMatch(c -> Character.isDigit(c) || c == '-' || c == '+')) {
                throw new NumberFormatException();
            }
            return new BigDecimal(trimmed);
        } catch (NumberFormatException e) {
            if (Types.isInteger(to)) {
                throw SqlError.conversionFailed(Types.name(from), text, Types.name(to));
            }
            if (Types.isMoney(to)) {
                String message = "Cannot convert a char value to money. The char value has incorrect syntax.";
                throw new SqlError(235, 16, 0, SqlError.Effect.ROLLBACK, message);
            }
            throw SqlError.conversionError(Types.name(from), numericName(to));
        }
    }

    /** Messages call a decimal numeric. */
    private static String numericName(SqlType type) {
        return Types.isDecimal(type) ? "numeric" : Types.name(type);
    }

    private Object toTemporal(Object value, SqlType from, SqlType to) {
        if (value instanceof String text) {
            return TemporalForm.convert(TemporalParser.parse(text, dateFormat, from, to), from, to);
        }
        if (value instanceof Number || value instanceof Boolean) {
            if (to.name() != Name.DATETIME && to.name() != Name.SMALLDATETIME) {
                throw SqlError.operandClash(Types.name(from), Types.name(to));
            }
            return TemporalForm.convert(TemporalForm.fromDays(number(value, from, to)), from, to);
        }
        return TemporalForm.convert(value, from, to);
    }

    private static Object toUuid(Object value, SqlType from) {
        if (value instanceof UUID) {
            return value;
        }
        if (value instanceof byte[] bytes) {
            return BinaryForm.uuid(Arrays.copyOf(bytes, 16));
        }
        if (value instanceof String text) {
            String trimmed = text.strip();
            if (trimmed.startsWith("{")) {
                trimmed = trimmed.substring(1, Math.max(1, trimmed.length() - 1));
            }
            try {
                if (trimmed.length() >= 36) {
                    return UUID.fromString(trimmed.substring(0, 36));
                }
            } catch (IllegalArgumentException e) {
                // Falls through to the error that SQL Server gives for any malformed text.
            }
            String message = "Conversion failed when converting from a character string to uniqueidentifier.";
            throw new SqlError(8169, 16, 2, SqlError.Effect.ROLLBACK, message);
        }
        throw SqlError.operandClash(Types.name(from), "uniqueidentifier");
    }

    private static Object toText(Object value, SqlType from, SqlType to, int style) {
        String text = TextForm.of(value, from, style);
        int length = to.length();
        boolean bounded = length > 0;
        if (bounded && text.length() > length) {
            if (Types.isText(from) || Types.isBinary(from) || Types.isTemporal(from)) {
                return text.substring(0, length);
            }
            if (Types.isInteger(from)) {
                return "*";
            }
            if (from.name() == Name.UNIQUEIDENTIFIER) {
                String message = "Insufficient result space to convert uniqueidentifier value to char.";
                throw new SqlError(8170, 16, 2, SqlError.Effect.ROLLBACK, message);
            }
            String message = "Arithmetic overflow error converting " + Types.name(from) + " to data type "
                    + Types.name(to) + ".";
            throw SqlError.terminating(8115, 16, 5, message);
        }
        if (bounded && Types.isFixedText(to) && text.length() < length) {
            return text + " ".repeat(length - text.length());
        }
        return text;
    }

    /** The present time in the server's zone, which is UTC here. */
    public static OffsetDateTime now() {
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        return now.withNano(now.getNano() / 100 * 100);
    }
}
