/** How often connections may be opened: the bucket's own rate, and permits out of the rate that the fleet shares. */
@NullMarked
package dev.comporta.pool.rate;

import org.jspecify.annotations.NullMarked;
