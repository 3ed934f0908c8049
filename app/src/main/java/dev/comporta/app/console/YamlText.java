package dev.comporta.app.console;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes settings as YAML. */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/][A-Za-z0-9_./-]*");
    private static final Pattern WORD_OF_YAML =
            Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n", Pattern.UNICODE_CASE);

    private YamlText() {}

    /** @param values by their paths, such as {@code health.interval} */
    static String section(Map<String, String> values, String indent) {
        Map<String, Map<String, String>> below = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder();
        values.forEach((path, value) -> {
            int dot = path.indexOf('.');
            if (dot < 0) {
                text.append(indent)
                        .append(path)
                        .append(": ")
                        .append(scalar(value))
                        .append('\n');
            } else {
                below.computeIfAbsent(path.substring(0, dot), _ -> new LinkedHashMap<>())
                        .put(path.substring(dot + 1), value);
            }
        });
        below.forEach((name, section) ->
                text.append(indent).append(name).append(":\n").append(section(section, indent + "  ")));
        return text.toString();
    }

    /** An item of a list of buckets. */
    static String bucket(String id, Map<String, String> values) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("id", id);
        all.putAll(values);
        return "buckets:\n  - " + section(all, "    ").stripLeading();
    }

    private static String scalar(String value) {
        if (value.startsWith("[") && value.endsWith("]")) {
            return value;
        }
        boolean plain = PLAIN.matcher(value).matches()
                && (!WORD_OF_YAML.matcher(value).matches()
                        || value.equals("true")
                        || value.equals("false")
                        || value.equals("on")
                        || value.equals("off"));
        return plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
