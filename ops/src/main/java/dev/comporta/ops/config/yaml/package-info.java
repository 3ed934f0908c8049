/**
 * Reading settings from YAML so that every mistake is found in one go, and told with its file, line, key and cure.
 * Knows nothing of what the settings mean.
 */
@NullMarked
package dev.comporta.ops.config.yaml;

import org.jspecify.annotations.NullMarked;
