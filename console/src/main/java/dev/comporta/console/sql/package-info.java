/** Parses text: tokens, the parser, and the statements it recognizes. */
@NullMarked
package dev.comporta.console.sql;

import org.jspecify.annotations.NullMarked;
