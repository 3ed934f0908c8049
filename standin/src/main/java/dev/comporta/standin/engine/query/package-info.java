/** Renders trees as H2's SQL: resolves names, infers types. */
@NullMarked
package dev.comporta.standin.engine.query;

import org.jspecify.annotations.NullMarked;
