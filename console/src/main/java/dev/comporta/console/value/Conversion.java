package dev.comporta.console.value;

import dev.comporta.console.table.ColumnType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Converts values between types, explicitly as CAST does, and implicitly where operands have different types. */
public final class Conversion {
    private static final DateTimeFormatter TIME_OUT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter TIME_IN = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd[[' ']['T']HH:mm[:ss]")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .optionalEnd()
            .appendPattern("]['Z']")
            .toFormatter(Locale.ROOT);

    private Conversion() {}

    public static @Nullable Object convert(@Nullable Object value, ColumnType to) {
        if (value == null || to.accepts(value)) {
            return value;
        }
        return switch (to) {
            case BIT -> bit(value);
            case INT -> Arithmetic.narrow(whole(value, to));
            case BIGINT -> whole(value, to);
            case FLOAT -> real(value);
            case NVARCHAR -> text(value);
            case DATETIME2 -> time(value);
        };
    }

    private static Boolean bit(Object value) {
        return switch (value) {
            case String text when text.strip().equalsIgnoreCase("true") -> true;
            case String text when text.strip().equalsIgnoreCase("false") -> false;
            case LocalDateTime _ -> throw incompatible("datetime2", "bit");
            default -> real(value) != 0;
        };
    }

    private static long whole(Object value, ColumnType to) {
        return switch (value) {
            case Boolean bit -> bit ? 1 : 0;
            case Integer number -> number;
            case Long number -> number;
            // T-SQL truncates.
            case Double number -> {
                if (number >= 0x1p63 || number < -0x1p63) {
                    throw ValueException.overflow(to);
                }
                yield number.longValue();
            }
            case String text -> parseWhole(text, to);
            default -> throw incompatible("datetime2", to.name().toLowerCase(Locale.ROOT));
        };
    }

    private static long parseWhole(String text, ColumnType to) {
        String digits = text.strip();
        if (digits.isEmpty()) {
            return 0;
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw failed(text, to);
        }
    }

    private static Double real(Object value) {
        return switch (value) {
            case Boolean bit -> bit ? 1.0 : 0.0;
            case Number number -> number.doubleValue();
            case String text -> parseReal(text);
            default -> throw incompatible("datetime2", "float");
        };
    }

    private static double parseReal(String text) {
        if (text.isBlank()) {
            return 0;
        }
        try {
            double number = new BigDecimal(text.strip()).doubleValue();
            if (Double.isInfinite(number)) {
                throw ValueException.overflow(ColumnType.FLOAT);
            }
            return number;
        } catch (NumberFormatException | ArithmeticException e) {
            throw failed(text, ColumnType.FLOAT);
        }
    }

    public static String text(Object value) {
        return switch (value) {
            case Boolean bit -> bit ? "1" : "0";
            case Double number -> real(number);
            case LocalDateTime time -> time(time, ' ');
            default -> value.toString();
        };
    }

    private static String real(Double number) {
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            return Long.toString(number.longValue());
        }
        return number.toString();
    }

    /** With as many decimals of a second as there are, none for a whole second. */
    public static String time(LocalDateTime time, char separator) {
        String seconds = TIME_OUT.format(time).replace(' ', separator);
        if (time.get(ChronoField.NANO_OF_SECOND) == 0) {
            return seconds;
        }
        String fraction = String.format(Locale.ROOT, "%09d", time.get(ChronoField.NANO_OF_SECOND));
        int end = fraction.length();
        while (fraction.charAt(end - 1) == '0') {
            end--;
        }
        return seconds + '.' + fraction.substring(0, end);
    }

    private static LocalDateTime time(Object value) {
        if (!(value instanceof String text)) {
            throw incompatible("a number", "datetime2");
        }
        try {
            return switch (TIME_IN.parseBest(text.strip(), LocalDateTime::from, LocalDate::from)) {
                case LocalDate date -> date.atStartOfDay();
                case LocalDateTime time -> time;
                default -> throw failed(text, ColumnType.DATETIME2);
            };
        } catch (DateTimeException e) {
            throw new ValueException(
                    241,
                    "Conversion failed when converting '" + shortened(text) + "' to a date and time. Write"
                            + " 'yyyy-mm-dd hh:mm:ss'.");
        }
    }

    private static ValueException failed(String text, ColumnType to) {
        return new ValueException(
                to == ColumnType.FLOAT ? 8114 : 245,
                "Conversion failed when converting the nvarchar value '" + shortened(text) + "' to data type "
                        + to.name().toLowerCase(Locale.ROOT) + ".");
    }

    private static ValueException incompatible(String from, String to) {
        return new ValueException(529, "Explicit conversion from " + from + " to " + to + " is not allowed.");
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
