package dev.comporta.console;

import dev.comporta.console.value.TypedValue;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Values that come with a text, for the {@code @names} in it. */
public final class Parameters {
    public static final Parameters NONE = new Parameters(Map.of());

    private final Map<String, TypedValue> values = new LinkedHashMap<>();

    /** @param values by name, with or without its {@code @} */
    public Parameters(Map<String, TypedValue> values) {
        values.forEach((name, value) ->
                this.values.put((name.startsWith("@") ? name : "@" + name).toLowerCase(Locale.ROOT), value));
    }

    Map<String, TypedValue> values() {
        return values;
    }
}
