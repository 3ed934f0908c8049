/** T-SQL's functions that need nothing but their arguments. */
@NullMarked
package dev.comporta.standin.engine.function;

import org.jspecify.annotations.NullMarked;
