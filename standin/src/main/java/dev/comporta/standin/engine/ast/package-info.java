/** T-SQL as a tree: the output of the parser and the input of the other packages. */
@NullMarked
package dev.comporta.standin.engine.ast;

import org.jspecify.annotations.NullMarked;
