/** From T-SQL text to a tree; whatever it does not know is error 102 or 156. */
@NullMarked
package dev.comporta.standin.engine.parse;

import org.jspecify.annotations.NullMarked;
