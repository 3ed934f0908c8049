/** Load tests: a server that answers at once, clients that send requests without pause, and comparisons with other proxies. */
@NullMarked
package dev.comporta.bench.load;

import org.jspecify.annotations.NullMarked;
