/** The bucket's account with the lease store. */
@NullMarked
package dev.comporta.pool.slot;

import org.jspecify.annotations.NullMarked;
