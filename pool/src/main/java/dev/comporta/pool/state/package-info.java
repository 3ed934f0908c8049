/** The states that connections and servers are in, and the reasons for what the pool does. */
@NullMarked
package dev.comporta.pool.state;

import org.jspecify.annotations.NullMarked;
