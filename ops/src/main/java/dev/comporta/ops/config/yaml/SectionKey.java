package dev.comporta.ops.config.yaml;

/** A section inside the section. */
public record SectionKey(String name, Schema schema) implements Entry {}
