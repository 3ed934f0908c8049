package dev.comporta.standin.engine.evaluate;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The printf format of RAISERROR and FORMATMESSAGE. */
public final class MessageFormat {
    private static final Pattern PLACE = Pattern.compile(
            "%(?<flags>[-+0 #]*)(?<width>\\d*)(?:\\.(?<precision>\\d+))?(?:I64|h|l)?(?<kind>[diosuxX%])");

    private MessageFormat() {}

    public static String format(String text, List<@Nullable Object> arguments) {
        Matcher matcher = PLACE.matcher(text);
        StringBuilder result = new StringBuilder();
        int next = 0;
        while (matcher.find()) {
            String kind = matcher.group("kind");
            String replacement;
            if (kind.equals("%")) {
                replacement = "%";
            } else {
                Object argument = next < arguments.size() ? arguments.get(next) : null;
                next++;
                replacement = one(matcher, kind, argument);
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(replacement));
        }
        return matcher.appendTail(result).toString();
    }

    private static String one(Matcher matcher, String kind, @Nullable Object argument) {
        String flags = matcher.group("flags");
        String width = matcher.group("width");
        if (argument == null) {
            return "(null)";
        }
        if (kind.equals("s") || !(argument instanceof Number number)) {
            String precision = matcher.group("precision");
            String pattern =
                    "%" + (flags.contains("-") ? "-" : "") + width + (precision == null ? "" : "." + precision) + "s";
            return String.format(pattern, argument);
        }
        String conversion = switch (kind) {
            case "o", "x", "X" -> kind;
            default -> "d";
        };
        boolean justified = !width.isEmpty();
        String kept = justified ? flags : flags.replace("0", "").replace("-", "");
        return String.format("%" + kept + width + conversion, number.longValue());
    }
}
