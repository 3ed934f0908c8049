/** Clients that share server connections and check that none sees another's session. */
@NullMarked
package dev.comporta.testkit.crosstalk;

import org.jspecify.annotations.NullMarked;
