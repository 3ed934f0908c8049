/** Many clients that mostly rest. */
@NullMarked
package dev.comporta.e2e.idle;

import org.jspecify.annotations.NullMarked;
