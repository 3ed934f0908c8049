/** The system procedures that run no statements: those of the catalog and of the session. */
@NullMarked
package dev.comporta.standin.engine.procedure;

import org.jspecify.annotations.NullMarked;
