/** From trees to H2's SQL: names are resolved, types inferred. */
@NullMarked
package dev.comporta.standin.engine.query;

import org.jspecify.annotations.NullMarked;
