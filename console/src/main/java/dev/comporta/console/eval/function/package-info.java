/** The scalar functions and the global variables of the console. */
@NullMarked
package dev.comporta.console.eval.function;

import org.jspecify.annotations.NullMarked;
