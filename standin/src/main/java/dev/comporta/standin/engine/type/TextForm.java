package dev.comporta.standin.engine.type;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/** Values as text, as by CAST and CONVERT. */
public final class TextForm {
    private TextForm() {}

    /** @param style CONVERT's, or -1 */
    public static String of(Object value, SqlType from, int style) {
        return switch (value) {
            case String text -> text;
            case Boolean flag -> flag ? "1" : "0";
            case BigDecimal number when Types.isMoney(from) -> money(number, style);
            case BigDecimal number -> number.toPlainString();
            case Float number -> approximate(number, style);
            case Double number -> approximate(number, style);
            case byte[] bytes -> binary(bytes, from, style);
            case UUID uuid -> uuid.toString().toUpperCase(Locale.ROOT);
            case LocalDate date -> temporal(date.atStartOfDay(), "", from, style);
            case LocalTime time -> temporal(LocalDate.EPOCH.atTime(time), "", from, style);
            case LocalDateTime time -> temporal(time, "", from, style);
            case OffsetDateTime time -> temporal(time.toLocalDateTime(), " " + offset(time), from, style);
            default -> value.toString();
        };
    }

    private static String offset(OffsetDateTime time) {
        String id = time.getOffset().getId();
        return id.equals("Z") ? "+00:00" : id;
    }

    private static String money(BigDecimal number, int style) {
        int scale = style == 2 || style == 126 ? 4 : 2;
        BigDecimal rounded = number.setScale(scale, RoundingMode.HALF_UP);
        if (style == 1) {
            return new DecimalFormat("#,##0.00", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(rounded);
        }
        return rounded.toPlainString();
    }

    /** Six significant digits by default; sixteen in scientific notation for style 2, eight for style 1. */
    private static String approximate(double number, int style) {
        if (number == 0) {
            return "0";
        }
        BigDecimal exact = new BigDecimal(number);
        if (style == 1 || style == 2 || style == 3) {
            String pattern =
                    style == 1 ? "0.0000000E000" : style == 2 ? "0.000000000000000E000" : "0.0000000000000000E000";
            return exponent(new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(exact));
        }
        BigDecimal rounded =
                exact.round(new MathContext(6, RoundingMode.HALF_UP)).stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -5 && exponent < 6) {
            return rounded.toPlainString();
        }
        String pattern = "0.#####E000";
        return exponent(new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT)).format(rounded));
    }

    private static String exponent(String text) {
        String lower = text.replace('E', 'e');
        return lower.contains("e-") ? lower : lower.replace("e", "e+");
    }

    private static String binary(byte[] bytes, SqlType from, int style) {
        if (style == 1 || style == 2) {
            String digits = HexFormat.of().withUpperCase().formatHex(bytes);
            return style == 1 ? "0x" + digits : digits;
        }
        return new String(bytes, from.name() == Name.SQL_VARIANT ? StandardCharsets.UTF_16LE : BinaryForm.CODE_PAGE);
    }

    private static String temporal(LocalDateTime time, String offset, SqlType from, int style) {
        int effective = style;
        if (style < 0) {
            boolean old = from.name() == Name.DATETIME || from.name() == Name.SMALLDATETIME;
            effective = old ? 0 : 121;
        }
        if (from.name() == Name.DATE && (effective == 121 || effective == 120 || effective == 126)) {
            return format(time, "yyyy-MM-dd");
        }
        return switch (effective) {
            case 0, 100 -> format(time, "MMM ppd yyyy pph:mma");
            case 1 -> format(time, "MM/dd/yy");
            case 101 -> format(time, "MM/dd/yyyy");
            case 2 -> format(time, "yy.MM.dd");
            case 102 -> format(time, "yyyy.MM.dd");
            case 3 -> format(time, "dd/MM/yy");
            case 103 -> format(time, "dd/MM/yyyy");
            case 4 -> format(time, "dd.MM.yy");
            case 104 -> format(time, "dd.MM.yyyy");
            case 5 -> format(time, "dd-MM-yy");
            case 105 -> format(time, "dd-MM-yyyy");
            case 6 -> format(time, "dd MMM yy");
            case 106 -> format(time, "dd MMM yyyy");
            case 7 -> format(time, "MMM dd, yy");
            case 107 -> format(time, "MMM dd, yyyy");
            case 8, 24, 108 -> format(time, "HH:mm:ss");
            case 9, 109 -> format(time, "MMM ppd yyyy pph:mm:ss:SSSa");
            case 10 -> format(time, "MM-dd-yy");
            case 110 -> format(time, "MM-dd-yyyy");
            case 11 -> format(time, "yy/MM/dd");
            case 111 -> format(time, "yyyy/MM/dd");
            case 12 -> format(time, "yyMMdd");
            case 112 -> format(time, "yyyyMMdd");
            case 13, 113 -> format(time, "dd MMM yyyy HH:mm:ss:SSS");
            case 14, 114 -> format(time, "HH:mm:ss:SSS");
            case 20, 120 -> format(time, "yyyy-MM-dd HH:mm:ss");
            case 21, 25, 121 -> fractional(time, from, "yyyy-MM-dd HH:mm:ss") + offset;
            case 23 -> format(time, "yyyy-MM-dd");
            case 126, 127 -> iso(time, from) + offset.strip();
            default ->
                throw SqlError.statement(
                        281,
                        16,
                        1,
                        effective + " is not a valid style number when converting from " + Types.name(from)
                                + " to a character string.");
        };
    }

    private static String fractional(LocalDateTime time, SqlType from, String pattern) {
        int digits = digits(from);
        String base = from.name() == Name.TIME ? "HH:mm:ss" : pattern;
        return format(time, digits == 0 ? base : base + "." + "S".repeat(digits));
    }

    private static String iso(LocalDateTime time, SqlType from) {
        // ISO 8601 omits a fraction that is zero, except for types with a declared scale.
        boolean declared = from.name() == Name.DATETIME2 || from.name() == Name.DATETIMEOFFSET;
        return declared || time.get(ChronoField.NANO_OF_SECOND) != 0
                ? fractional(time, from, "yyyy-MM-dd'T'HH:mm:ss")
                : format(time, "yyyy-MM-dd'T'HH:mm:ss");
    }

    private static int digits(SqlType from) {
        return switch (from.name()) {
            case DATETIME -> 3;
            case SMALLDATETIME, DATE -> 0;
            default -> from.scale();
        };
    }

    private static String format(LocalDateTime time, String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US).format(time);
    }
}
