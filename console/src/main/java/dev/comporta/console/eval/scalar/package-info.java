/** Expressions whose names and types are known, and their inputs: the row, the session, a budget. */
@NullMarked
package dev.comporta.console.eval.scalar;

import org.jspecify.annotations.NullMarked;
