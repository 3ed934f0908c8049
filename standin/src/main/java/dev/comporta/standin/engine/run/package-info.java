/** Running sessions: statements, procedures, transactions, options, cursors. */
@NullMarked
package dev.comporta.standin.engine.run;

import org.jspecify.annotations.NullMarked;
