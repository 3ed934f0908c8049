/** Hundreds of clients of mixed drivers on a few server connections: nobody sees what is another's. */
@NullMarked
package dev.comporta.e2e.crosstalk;

import org.jspecify.annotations.NullMarked;
