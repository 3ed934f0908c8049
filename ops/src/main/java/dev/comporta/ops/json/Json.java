package dev.comporta.ops.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON object that is being put together, in the order of the putting. Belongs to the thread that makes it. */
public final class Json {
    private static final int FIRST_PRINTABLE = 0x20;

    private final Map<String, Object> members = new LinkedHashMap<>();

    /** @param value text, a number, a boolean, another object, or a list of these */
    public Json put(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** Leaves the member out where there is no value. */
    public Json put(String name, Optional<?> value) {
        value.ifPresent(present -> members.put(name, present));
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        write(text);
        return text.toString();
    }

    private void write(StringBuilder text) {
        text.append('{');
        String separator = "";
        for (Map.Entry<String, Object> member : members.entrySet()) {
            text.append(separator);
            writeText(text, member.getKey());
            text.append(':');
            write(text, member.getValue());
            separator = ",";
        }
        text.append('}');
    }

    private static void write(StringBuilder text, Object value) {
        switch (value) {
            case Json object -> object.write(text);
            case List<?> list -> writeList(text, list);
            case Number number -> text.append(number);
            case Boolean bool -> text.append(bool.booleanValue());
            default -> writeText(text, value.toString());
        }
    }

    private static void writeList(StringBuilder text, List<?> list) {
        text.append('[');
        String separator = "";
        for (Object item : list) {
            text.append(separator);
            write(text, item);
            separator = ",";
        }
        text.append(']');
    }

    private static void writeText(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char letter = value.charAt(i);
            if (letter == '"' || letter == '\\') {
                text.append('\\').append(letter);
            } else if (letter < FIRST_PRINTABLE) {
                text.append(String.format("\\u%04x", (int) letter));
            } else {
                text.append(letter);
            }
        }
        text.append('"');
    }
}
