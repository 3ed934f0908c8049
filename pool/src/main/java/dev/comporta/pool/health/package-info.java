/** What is thought of the bucket's server. */
@NullMarked
package dev.comporta.pool.health;

import org.jspecify.annotations.NullMarked;
