package dev.comporta.ops.config.yaml;

/** One element of a list. */
public sealed interface Item<T> {
    record Value<T>(T value, Location where) implements Item<T> {}

    record Group<T>(Section section) implements Item<T> {}
}
