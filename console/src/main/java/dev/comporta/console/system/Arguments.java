package dev.comporta.console.system;

import dev.comporta.console.value.Conversion;
import dev.comporta.console.value.LikePattern;
import dev.comporta.console.value.TypedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The arguments of a call, by place and by name. */
public final class Arguments {
    private final List<TypedValue> placed = new ArrayList<>();
    private final Map<String, TypedValue> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** @param name with its {@code @}; null for an argument given by its place */
    public Arguments add(@Nullable String name, TypedValue value) {
        if (name == null) {
            placed.add(value);
        } else {
            named.put(name, value);
        }
        return this;
    }

    public List<TypedValue> placed() {
        return placed;
    }

    public Map<String, TypedValue> named() {
        return named;
    }

    @Nullable
    String text(int place, String name) {
        TypedValue value = named.get(name);
        if (value == null && place < placed.size()) {
            value = placed.get(place);
        }
        return value == null || value.value() == null ? null : Conversion.text(value.value());
    }

    /** Whether the candidate matches the argument as a pattern. Everything matches an argument that is not given. */
    boolean matches(int place, String name, String candidate) {
        String pattern = text(place, name);
        return pattern == null || LikePattern.of(pattern, null).matches(candidate);
    }
}
