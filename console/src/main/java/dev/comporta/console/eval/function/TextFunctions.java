package dev.comporta.console.eval.function;

import static dev.comporta.console.table.ColumnType.INT;
import static dev.comporta.console.table.ColumnType.NVARCHAR;

import dev.comporta.console.eval.function.Functions.Definition;
import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Texts;
import dev.comporta.console.value.Collation;
import dev.comporta.console.value.Conversion;
import dev.comporta.console.value.ValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Functions on text. Lengths and places count UTF-16 code units from 1, as in T-SQL. */
final class TextFunctions {
    private TextFunctions() {}

    static void addTo(Map<String, Definition> all) {
        one(all, "UPPER", text -> text.toUpperCase(Locale.ROOT));
        one(all, "LOWER", text -> text.toLowerCase(Locale.ROOT));
        one(all, "LTRIM", text -> text.substring(spaces(text)));
        one(all, "RTRIM", TextFunctions::withoutTrailingSpaces);
        one(all, "TRIM", text -> withoutTrailingSpaces(text.substring(spaces(text))));
        one(all, "QUOTENAME", text -> "[" + text.replace("]", "]]") + "]");
        all.put("LEN", Definition.strict(INT, List.of(NVARCHAR), TextFunctions::len));
        all.put("LEFT", Definition.strict(NVARCHAR, List.of(NVARCHAR, INT), arguments -> {
            String text = (String) arguments[0];
            return text.substring(0, Math.min(text.length(), length(arguments[1])));
        }));
        all.put("RIGHT", Definition.strict(NVARCHAR, List.of(NVARCHAR, INT), arguments -> {
            String text = (String) arguments[0];
            return text.substring(text.length() - Math.min(text.length(), length(arguments[1])));
        }));
        all.put("SUBSTRING", Definition.strict(NVARCHAR, List.of(NVARCHAR, INT, INT), TextFunctions::substring));
        all.put("CHARINDEX", Definition.strict(INT, List.of(NVARCHAR, NVARCHAR), arguments -> {
            String wanted = Collation.key((String) arguments[0]);
            return Collation.key((String) arguments[1]).indexOf(wanted) + 1;
        }));
        all.put("CONCAT", new Definition(2, Integer.MAX_VALUE, TextFunctions::concat));
    }

    private static void one(Map<String, Definition> all, String name, UnaryOperator<String> function) {
        all.put(name, Definition.strict(NVARCHAR, List.of(NVARCHAR), text -> function.apply((String) text[0])));
    }

    private static int spaces(String text) {
        int i = 0;
        while (i < text.length() && text.charAt(i) == ' ') {
            i++;
        }
        return i;
    }

    private static String withoutTrailingSpaces(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    private static Object len(Object[] arguments) {
        return withoutTrailingSpaces((String) arguments[0]).length();
    }

    private static int length(Object argument) {
        int length = (Integer) argument;
        if (length < 0) {
            throw new ValueException(536, "A length must not be negative.");
        }
        return length;
    }

    private static String substring(Object[] arguments) {
        String text = (String) arguments[0];
        long from = (Integer) arguments[1] - 1L;
        long to = Math.min(text.length(), from + length(arguments[2]));
        from = Math.max(0, from);
        return from >= to ? "" : text.substring((int) from, (int) to);
    }

    // NULL counts as empty here, unlike with +.
    private static Bound concat(Invocation call) {
        List<Bound> parts = new ArrayList<>();
        for (int i = 0; i < call.count(); i++) {
            parts.add(call.argument(i));
        }
        return Bound.guarded(NVARCHAR, call.at(), frame -> {
            StringBuilder text = new StringBuilder();
            for (Bound part : parts) {
                Object value = part.value(frame);
                text.append(value == null ? "" : Conversion.text(value));
            }
            return Texts.limited(text.toString());
        });
    }
}
