package dev.comporta.ops.config.yaml;

/** One thing that may be written in a section. */
public sealed interface Entry permits Key, ListKey, SectionKey, SectionsKey {
    String name();
}
