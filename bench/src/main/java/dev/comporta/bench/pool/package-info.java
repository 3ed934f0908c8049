/** The cost of acquiring and releasing a server connection. */
@NullMarked
package dev.comporta.bench.pool;

import org.jspecify.annotations.NullMarked;
