package dev.comporta.standin.engine.function;

import dev.comporta.standin.engine.type.Types;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** LIKE's patterns: % and _, and sets in brackets, which H2 lacks. */
public final class LikePattern {
    public static final JavaFunction FUNCTION = JavaFunction.strict(2, 3, types -> Types.BIT, arguments -> {
        String escape = arguments.count() > 2 ? arguments.text(2) : "";
        return matches(arguments.text(0), arguments.text(1), escape);
    });

    /** Compiled patterns; cleared when it grows, because patterns may be computed from data. */
    private static final Map<String, Pattern> COMPILED = new ConcurrentHashMap<>();

    private static final int MOST_COMPILED = 500;

    private LikePattern() {}

    public static boolean matches(String text, String pattern, String escape) {
        String key = escape + "\0" + pattern;
        Pattern compiled = COMPILED.get(key);
        if (compiled == null) {
            if (COMPILED.size() >= MOST_COMPILED) {
                COMPILED.clear();
            }
            compiled = Pattern.compile(
                    regex(pattern, escape), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
            COMPILED.put(key, compiled);
        }
        return compiled.matcher(text).matches();
    }

    static String regex(String pattern, String escape) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (!escape.isEmpty() && c == escape.charAt(0) && i + 1 < pattern.length()) {
                regex.append(Pattern.quote(String.valueOf(pattern.charAt(++i))));
            } else if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else if (c == '[' && pattern.indexOf(']', i + 1) > 0) {
                int end = pattern.indexOf(']', i + 1);
                regex.append(set(pattern.substring(i + 1, end)));
                i = end;
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }

    private static String set(String members) {
        boolean negated = members.startsWith("^");
        StringBuilder set = new StringBuilder(negated ? "[^" : "[");
        for (char c : members.substring(negated ? 1 : 0).toCharArray()) {
            if (c != '-' && !Character.isLetterOrDigit(c)) {
                set.append('\\');
            }
            set.append(c);
        }
        return set.append(']').toString();
    }
}
