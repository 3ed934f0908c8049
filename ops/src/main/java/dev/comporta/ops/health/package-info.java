/** Whether an instance can serve, for probes and for people. */
@NullMarked
package dev.comporta.ops.health;

import org.jspecify.annotations.NullMarked;
