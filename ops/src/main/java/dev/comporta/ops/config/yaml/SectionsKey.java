package dev.comporta.ops.config.yaml;

/**
 * A list of sections.
 *
 * @param label the key whose text names an item in messages
 */
public record SectionsKey(String name, Schema schema, String label) implements Entry {}
