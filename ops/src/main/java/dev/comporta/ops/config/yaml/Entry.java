package dev.comporta.ops.config.yaml;

/** A key that a section may have. */
public sealed interface Entry permits Key, ListKey, SectionKey, SectionsKey {
    String name();
}
