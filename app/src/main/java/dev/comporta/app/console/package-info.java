/** What the SQL console shows of an instance, and what it commands. */
@NullMarked
package dev.comporta.app.console;

import org.jspecify.annotations.NullMarked;
