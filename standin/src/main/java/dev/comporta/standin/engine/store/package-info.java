/** Storage: databases, tables, procedures, and the H2 database below them. */
@NullMarked
package dev.comporta.standin.engine.store;

import org.jspecify.annotations.NullMarked;
