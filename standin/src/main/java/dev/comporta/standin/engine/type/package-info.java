/** SQL Server's types and values: precedence, conversions, text forms. */
@NullMarked
package dev.comporta.standin.engine.type;

import org.jspecify.annotations.NullMarked;
