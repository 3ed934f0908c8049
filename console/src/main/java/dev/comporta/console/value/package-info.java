/** Values as T-SQL treats them: types, conversions, arithmetic, comparison, LIKE. */
@NullMarked
package dev.comporta.console.value;

import org.jspecify.annotations.NullMarked;
