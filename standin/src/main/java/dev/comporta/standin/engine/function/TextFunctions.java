package dev.comporta.standin.engine.function;

import static dev.comporta.standin.engine.function.JavaFunction.lenient;
import static dev.comporta.standin.engine.function.JavaFunction.strict;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.type.BinaryForm;
import dev.comporta.standin.engine.type.Types;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Functions of text. Searching and replacing ignore case, as the server's collation does. */
final class TextFunctions {
    private static final int IGNORE_CASE = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;

    private TextFunctions() {}

    static void addTo(Map<String, JavaFunction> functions) {
        functions.put("UPPER", ofText(text -> text.toUpperCase(Locale.ROOT)));
        functions.put("LOWER", ofText(text -> text.toLowerCase(Locale.ROOT)));
        functions.put("LTRIM", ofText(text -> trim(text, true, false)));
        functions.put("RTRIM", ofText(text -> trim(text, false, true)));
        functions.put("TRIM", ofText(text -> trim(text, true, true)));
        functions.put(
                "REVERSE", ofText(text -> new StringBuilder(text).reverse().toString()));
        functions.put(
                "LEN",
                strict(1, 1, t -> Types.INT, a -> trim(a.text(0), false, true).length()));
        functions.put("DATALENGTH", strict(1, 1, TextFunctions::lengthType, TextFunctions::dataLength));
        functions.put("LEFT", strict(2, 2, TextFunctions::sameText, a -> substring(a.text(0), 1, a.integer(1))));
        functions.put("RIGHT", strict(2, 2, TextFunctions::sameText, TextFunctions::right));
        functions.put("SUBSTRING", strict(3, 3, TextFunctions::sameText, TextFunctions::substring));
        functions.put("CHARINDEX", strict(2, 3, t -> Types.INT, TextFunctions::charIndex));
        functions.put("PATINDEX", strict(2, 2, t -> Types.INT, TextFunctions::patIndex));
        functions.put("REPLACE", strict(3, 3, TextFunctions::longText, TextFunctions::replace));
        functions.put("STUFF", strict(4, 4, TextFunctions::longText, TextFunctions::stuff));
        functions.put(
                "REPLICATE",
                strict(
                        2,
                        2,
                        TextFunctions::longText,
                        a -> a.integer(1) < 0 ? null : a.text(0).repeat(a.integer(1))));
        functions.put("SPACE", strict(1, 1, t -> Types.varchar(8000), a -> " ".repeat(Math.max(0, a.integer(0)))));
        functions.put("CHAR", strict(1, 1, t -> Types.varchar(1), TextFunctions::fromCode));
        functions.put("NCHAR", strict(1, 1, t -> Types.nvarchar(1), a -> String.valueOf((char) a.integer(0))));
        functions.put("ASCII", firstCode(text -> text.getBytes(BinaryForm.CODE_PAGE)[0] & 0xff));
        functions.put("UNICODE", firstCode(text -> text.charAt(0)));
        functions.put("CONCAT", lenient(2, 254, TextFunctions::longText, a -> joined(a, 0, "")));
        functions.put("CONCAT_WS", lenient(3, 254, TextFunctions::longText, TextFunctions::concatWithSeparator));
        functions.put("QUOTENAME", strict(1, 2, t -> Types.nvarchar(258), TextFunctions::quoteName));
        functions.put("STR", strict(1, 3, t -> Types.varchar(8000), TextFunctions::str));
        functions.put("ISNUMERIC", lenient(1, 1, t -> Types.INT, TextFunctions::isNumeric));
    }

    private static JavaFunction ofText(UnaryOperator<String> operator) {
        return strict(1, 1, TextFunctions::sameText, a -> operator.apply(a.text(0)));
    }

    private static JavaFunction firstCode(ToIntFunction<String> code) {
        return strict(1, 1, t -> Types.INT, a -> a.text(0).isEmpty() ? null : (Object) code.applyAsInt(a.text(0)));
    }

    private static SqlType sameText(List<SqlType> types) {
        SqlType type = types.getFirst();
        if (Types.isBinary(type)) {
            return Types.varbinary(type.length() <= 0 ? SqlType.MAX : type.length());
        }
        if (!Types.isText(type)) {
            return Types.varchar(8000);
        }
        int length = Types.isLarge(type) ? SqlType.MAX : type.length();
        return Types.isUnicode(type) ? Types.nvarchar(length) : Types.varchar(length);
    }

    private static SqlType longText(List<SqlType> types) {
        boolean large = types.stream().anyMatch(Types::isLarge);
        boolean unicode = types.stream().anyMatch(Types::isUnicode);
        return unicode ? Types.nvarchar(large ? SqlType.MAX : 4000) : Types.varchar(large ? SqlType.MAX : 8000);
    }

    private static SqlType lengthType(List<SqlType> types) {
        return Types.isLarge(types.getFirst()) ? Types.BIGINT : Types.INT;
    }

    private static Object dataLength(JavaFunction.Arguments a) {
        SqlType type = a.types().getFirst();
        long length = switch (a.get(0)) {
            case String text when Types.isFixedText(type) -> (long) type.length() * (Types.isUnicode(type) ? 2 : 1);
            case String text ->
                Types.isUnicode(type)
                        ? text.getBytes(StandardCharsets.UTF_16LE).length
                        : text.getBytes(BinaryForm.CODE_PAGE).length;
            case byte[] bytes -> bytes.length;
            default -> fixedLength(type);
        };
        if (Types.isLarge(type)) {
            return length;
        }
        return (int) length;
    }

    private static int fixedLength(SqlType type) {
        return switch (type.name()) {
            case BIT, TINYINT -> 1;
            case SMALLINT -> 2;
            case INT, REAL, SMALLMONEY, SMALLDATETIME -> 4;
            case DATE -> 3;
            case UNIQUEIDENTIFIER -> 16;
            case DECIMAL, NUMERIC ->
                type.precision() <= 9 ? 5 : type.precision() <= 19 ? 9 : type.precision() <= 28 ? 13 : 17;
            case TIME -> type.scale() <= 2 ? 3 : type.scale() <= 4 ? 4 : 5;
            case DATETIME2 -> type.scale() <= 2 ? 6 : type.scale() <= 4 ? 7 : 8;
            case DATETIMEOFFSET -> type.scale() <= 2 ? 8 : type.scale() <= 4 ? 9 : 10;
            default -> 8;
        };
    }

    private static String trim(String text, boolean left, boolean right) {
        int from = 0;
        int to = text.length();
        while (left && from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (right && to > from && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    private static String right(JavaFunction.Arguments a) {
        String text = a.text(0);
        int count = Math.max(0, Math.min(text.length(), a.integer(1)));
        return text.substring(text.length() - count);
    }

    private static Object substring(JavaFunction.Arguments a) {
        if (a.get(0) instanceof byte[] bytes) {
            int from = Math.max(0, a.integer(1) - 1);
            int to = Math.max(from, Math.min(bytes.length, a.integer(1) - 1 + a.integer(2)));
            return from >= bytes.length ? new byte[0] : Arrays.copyOfRange(bytes, from, to);
        }
        return substring(a.text(0), a.integer(1), a.integer(2));
    }

    /** A start before the text shortens the result. */
    private static String substring(String text, int start, int length) {
        if (length < 0) {
            String message = "Invalid length parameter passed to the LEFT or SUBSTRING function.";
            throw SqlError.terminating(537, 16, 3, message);
        }
        long end = Math.min(text.length(), start - 1L + length);
        int from = Math.max(0, start - 1);
        return from >= end ? "" : text.substring(from, (int) end);
    }

    private static Object charIndex(JavaFunction.Arguments a) {
        String text = a.text(1).toLowerCase(Locale.ROOT);
        int from = a.count() > 2 ? Math.max(0, a.integer(2) - 1) : 0;
        return a.text(0).isEmpty() ? 0 : text.indexOf(a.text(0).toLowerCase(Locale.ROOT), from) + 1;
    }

    private static Object patIndex(JavaFunction.Arguments a) {
        String pattern = a.text(0);
        boolean anywhere = pattern.startsWith("%");
        String regex = LikePattern.regex(anywhere ? pattern.substring(1) : pattern, "");
        String text = a.text(1);
        Pattern compiled = Pattern.compile("(?:" + regex + ")$", IGNORE_CASE | Pattern.DOTALL);
        Matcher matcher = compiled.matcher(text);
        boolean found = anywhere ? matcher.find() : matcher.matches();
        return found ? matcher.start() + 1 : 0;
    }

    private static String replace(JavaFunction.Arguments a) {
        if (a.text(1).isEmpty()) {
            return a.text(0);
        }
        return Pattern.compile(a.text(1), IGNORE_CASE | Pattern.LITERAL)
                .matcher(a.text(0))
                .replaceAll(Matcher.quoteReplacement(a.text(2)));
    }

    private static @Nullable String stuff(JavaFunction.Arguments a) {
        String text = a.text(0);
        int start = a.integer(1);
        int length = a.integer(2);
        if (start < 1 || start > text.length() || length < 0) {
            return null;
        }
        int end = (int) Math.min(text.length(), start - 1L + length);
        return text.substring(0, start - 1) + a.text(3) + text.substring(end);
    }

    private static @Nullable String fromCode(JavaFunction.Arguments a) {
        int code = a.integer(0);
        return code < 0 || code > 255 ? null : new String(new byte[] {(byte) code}, BinaryForm.CODE_PAGE);
    }

    private static String concatWithSeparator(JavaFunction.Arguments a) {
        return joined(a, 1, a.isNull(0) ? "" : a.text(0));
    }

    private static String joined(JavaFunction.Arguments a, int first, String separator) {
        StringBuilder text = new StringBuilder();
        for (int i = first; i < a.count(); i++) {
            if (!a.isNull(i)) {
                text.append(text.isEmpty() ? "" : separator).append(a.text(i));
            }
        }
        return text.toString();
    }

    private static String quoteName(JavaFunction.Arguments a) {
        String quote = a.count() > 1 ? a.text(1) : "[";
        return switch (quote) {
            case "'" -> "'" + a.text(0).replace("'", "''") + "'";
            case "\"" -> '"' + a.text(0).replace("\"", "\"\"") + '"';
            default -> "[" + a.text(0).replace("]", "]]") + "]";
        };
    }

    private static String str(JavaFunction.Arguments a) {
        int length = a.count() > 1 ? a.integer(1) : 10;
        int decimals = a.count() > 2 ? a.integer(2) : 0;
        BigDecimal number = new BigDecimal(a.get(0).toString()).setScale(decimals, RoundingMode.HALF_UP);
        String text = number.toPlainString();
        return text.length() > length ? "*".repeat(length) : " ".repeat(length - text.length()) + text;
    }

    private static Object isNumeric(JavaFunction.Arguments a) {
        if (a.isNull(0)) {
            return 0;
        }
        if (Types.isNumber(a.types().getFirst())) {
            return 1;
        }
        try {
            BigDecimal number =
                    new BigDecimal(a.text(0).strip().replace("$", "").replace(",", ""));
            return number.precision() > 0 ? 1 : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
