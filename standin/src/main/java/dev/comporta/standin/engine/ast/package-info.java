/** T-SQL as a tree: what the parser makes and the other packages read. */
@NullMarked
package dev.comporta.standin.engine.ast;

import org.jspecify.annotations.NullMarked;
