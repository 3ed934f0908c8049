/** Load from outside: a server that answers at once, clients that ask without pause, and peers side by side. */
@NullMarked
package dev.comporta.bench.load;

import org.jspecify.annotations.NullMarked;
