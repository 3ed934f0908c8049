/** Chooses a client's bucket from its login. No I/O, no threads. */
@NullMarked
package dev.comporta.ops.route;

import org.jspecify.annotations.NullMarked;
