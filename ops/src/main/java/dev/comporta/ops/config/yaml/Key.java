package dev.comporta.ops.config.yaml;

import dev.comporta.ops.config.value.ValueType;

/** A single value. */
public record Key<T>(String name, ValueType<T> type, Absence absence) implements Entry {
    public static <T> Key<T> of(String name, ValueType<T> type, String defaultText) {
        return new Key<>(name, type, new Absence.Default(defaultText));
    }

    public static <T> Key<T> required(String name, ValueType<T> type) {
        return new Key<>(name, type, new Absence.Required());
    }

    /** A key without a value of its own when absent; {@code rule} tells users what applies then. */
    public static <T> Key<T> derived(String name, ValueType<T> type, String rule) {
        return new Key<>(name, type, new Absence.Derived(rule));
    }
}
