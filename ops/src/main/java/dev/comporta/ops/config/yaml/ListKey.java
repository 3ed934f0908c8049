package dev.comporta.ops.config.yaml;

import dev.comporta.ops.config.value.ValueType;
import java.util.Optional;

/**
 * Several values: a list, or a single value without a list.
 *
 * @param group the keys of an item that is a section, if items may be sections
 */
public record ListKey<T>(String name, ValueType<T> type, String whenAbsent, Optional<Schema> group) implements Entry {
    public static <T> ListKey<T> of(String name, ValueType<T> type, String whenAbsent) {
        return new ListKey<>(name, type, whenAbsent, Optional.empty());
    }
}
