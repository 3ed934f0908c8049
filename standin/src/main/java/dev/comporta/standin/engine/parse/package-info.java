/** Parses T-SQL text into a tree; unknown syntax is error 102 or 156. */
@NullMarked
package dev.comporta.standin.engine.parse;

import org.jspecify.annotations.NullMarked;
