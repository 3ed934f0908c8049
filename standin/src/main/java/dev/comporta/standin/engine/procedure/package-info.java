/** The server's own procedures that run no statements: the catalog's and the session's. */
@NullMarked
package dev.comporta.standin.engine.procedure;

import org.jspecify.annotations.NullMarked;
