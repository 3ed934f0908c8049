/** The system views and catalog procedures that drivers and tools use to explore a database. */
@NullMarked
package dev.comporta.console.system;

import org.jspecify.annotations.NullMarked;
