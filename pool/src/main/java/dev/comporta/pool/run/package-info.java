/** The thread and the clock of a bucket: the only part of the pool that schedules anything. */
@NullMarked
package dev.comporta.pool.run;

import org.jspecify.annotations.NullMarked;
