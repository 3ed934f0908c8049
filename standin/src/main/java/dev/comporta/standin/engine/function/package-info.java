/** T-SQL functions that depend on their arguments alone. */
@NullMarked
package dev.comporta.standin.engine.function;

import org.jspecify.annotations.NullMarked;
