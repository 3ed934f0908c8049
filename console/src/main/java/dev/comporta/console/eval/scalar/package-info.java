/** Expressions whose names and types are known, and what they may use: the row, the session, a budget. */
@NullMarked
package dev.comporta.console.eval.scalar;

import org.jspecify.annotations.NullMarked;
