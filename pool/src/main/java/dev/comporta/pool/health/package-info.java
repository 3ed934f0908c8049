/** Whether the bucket's server is up. */
@NullMarked
package dev.comporta.pool.health;

import org.jspecify.annotations.NullMarked;
