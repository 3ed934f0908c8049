/** A heap whose elements know their place in it. */
@NullMarked
package dev.comporta.pool.heap;

import org.jspecify.annotations.NullMarked;
