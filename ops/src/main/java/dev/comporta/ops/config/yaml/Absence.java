package dev.comporta.ops.config.yaml;

/** What holds when a key is not written. */
public sealed interface Absence {
    /** The same as if this text had been written. */
    record Default(String text) implements Absence {}

    /** Another setting or the machine decides; {@code rule} says how, for people. */
    record Derived(String rule) implements Absence {}

    /** An error. */
    record Required() implements Absence {}
}
