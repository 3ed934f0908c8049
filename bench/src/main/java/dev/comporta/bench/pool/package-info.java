/** What it costs to get a server connection and give it back. */
@NullMarked
package dev.comporta.bench.pool;

import org.jspecify.annotations.NullMarked;
