/** Suggests a known name for a misspelt one. */
@NullMarked
package dev.comporta.console.names;

import org.jspecify.annotations.NullMarked;
