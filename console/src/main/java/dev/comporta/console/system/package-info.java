/** The system views and catalog procedures with which drivers and tools explore a database. */
@NullMarked
package dev.comporta.console.system;

import org.jspecify.annotations.NullMarked;
