package dev.comporta.ops.config.yaml;

/** What applies when a key is absent from the file. */
public sealed interface Absence {
    /** The same as if this text had been written. */
    record Default(String text) implements Absence {}

    /** Another setting or the machine decides; {@code rule} describes it for users. */
    record Derived(String rule) implements Absence {}

    /** An error. */
    record Required() implements Absence {}
}
