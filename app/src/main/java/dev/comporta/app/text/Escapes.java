package dev.comporta.app.text;

/** Makes characters visible that would end a line, move a terminal's cursor, or change the direction of text. */
public final class Escapes {
    private Escapes() {}

    public static String escape(String text) {
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isHarmful(c)) {
                if (escaped == null) {
                    escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
                }
                append(escaped, c);
            } else if (escaped != null) {
                escaped.append(c);
            }
        }
        return escaped == null ? text : escaped.toString();
    }

    /** Escapes a text for a JSON string, from which parsers restore it. */
    public static void escapeJson(StringBuilder to, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (isHarmful(c)) {
                append(to, c);
            } else {
                to.append(c);
            }
        }
    }

    /** Control characters, line and paragraph separators, and marks that change the direction of text. */
    public static boolean isHarmful(char c) {
        return Character.isISOControl(c)
                || c == 0x2028
                || c == 0x2029
                || (c >= 0x202a && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069)
                || c == 0x200e
                || c == 0x200f
                || c == 0x061c;
    }

    private static void append(StringBuilder to, char c) {
        switch (c) {
            case '\r' -> to.append("\\r");
            case '\n' -> to.append("\\n");
            case '\t' -> to.append("\\t");
            default -> to.append("\\u%04x".formatted((int) c));
        }
    }
}
