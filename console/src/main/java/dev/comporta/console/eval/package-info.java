/** Runs a query over the rows of a catalog. */
@NullMarked
package dev.comporta.console.eval;

import org.jspecify.annotations.NullMarked;
