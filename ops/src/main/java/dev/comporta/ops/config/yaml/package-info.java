/**
 * Reads settings from YAML so that all errors are found in one reading, each reported with its file, line, key and remedy.
 * Knows nothing about the settings' meaning.
 */
@NullMarked
package dev.comporta.ops.config.yaml;

import org.jspecify.annotations.NullMarked;
