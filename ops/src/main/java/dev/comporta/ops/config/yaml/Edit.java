package dev.comporta.ops.config.yaml;

import java.util.Map;

/**
 * A change to the content of a file, made in memory. A path is one of {@link Findings.Effective}: {@code proxy.query_timeout},
 * {@code buckets[one].health.interval}.
 */
public sealed interface Edit {
    /** Writes a value, in place of the one that was there. Values of a list are separated by commas. */
    record Put(String path, String value) implements Edit {}

    /** Leaves a key out, so that its default holds. */
    record Remove(String path) implements Edit {}

    /**
     * Adds a section to a list of sections.
     *
     * @param list such as {@code buckets}
     * @param label the value of the key that names it
     * @param values the values of its other keys, by their paths below it
     */
    record Add(String list, String label, Map<String, String> values) implements Edit {}

    /** Takes a section out of a list of sections. */
    record Drop(String list, String label) implements Edit {}
}
