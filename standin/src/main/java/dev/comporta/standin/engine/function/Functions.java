package dev.comporta.standin.engine.function;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions that depend on their arguments alone, or on the clock. */
public final class Functions {
    private static final Map<String, JavaFunction> ALL = all();

    private Functions() {}

    /** The function with this name, in upper case. */
    public static @Nullable JavaFunction find(String name) {
        return ALL.get(name);
    }

    private static Map<String, JavaFunction> all() {
        Map<String, JavaFunction> functions = new HashMap<>();
        TextFunctions.addTo(functions);
        MathFunctions.addTo(functions);
        DateFunctions.addTo(functions);
        return Map.copyOf(functions);
    }
}
