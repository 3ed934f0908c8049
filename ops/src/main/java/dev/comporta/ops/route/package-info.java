/** Which bucket a client belongs to, told from what its login says. No I/O, no threads. */
@NullMarked
package dev.comporta.ops.route;

import org.jspecify.annotations.NullMarked;
