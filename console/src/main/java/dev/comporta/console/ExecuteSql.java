package dev.comporta.console;

import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.system.Arguments;
import dev.comporta.console.value.TypedValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A call of sp_executesql: the text, a declaration such as {@code @P0 nvarchar(10), @P1 int}, and the values. */
record ExecuteSql(String text, Map<String, TypedValue> parameters) {
    private static final Pattern NAME = Pattern.compile("@[\\w$#@]++");

    static ExecuteSql of(Position at, Arguments arguments) {
        List<TypedValue> placed = new ArrayList<>(arguments.placed());
        Map<String, TypedValue> named = new HashMap<>(arguments.named());
        TypedValue text = take(named, "@stmt", "@statement", placed);
        TypedValue declaration = take(named, "@params", "@parameters", placed);
        if (text == null || !(text.value() instanceof String statement)) {
            throw new SqlError(214, at, "sp_executesql expects a text as its first argument.");
        }
        Map<String, TypedValue> parameters = new HashMap<>(named);
        if (declaration != null && declaration.value() instanceof String names) {
            Matcher matcher = NAME.matcher(names);
            for (TypedValue value : placed) {
                if (!matcher.find()) {
                    throw new SqlError(8144, at, "sp_executesql has more values than its declaration has names.");
                }
                parameters.put(matcher.group(), value);
            }
        }
        return new ExecuteSql(statement, parameters);
    }

    private static @Nullable TypedValue take(
            Map<String, TypedValue> named, String name, String otherName, List<TypedValue> placed) {
        TypedValue value = named.remove(name);
        if (value == null) {
            value = named.remove(otherName);
        }
        return value == null && !placed.isEmpty() ? placed.removeFirst() : value;
    }
}
