/** What a bucket counts on its hot path, and the records that others may keep of it. */
@NullMarked
package dev.comporta.pool.stats;

import org.jspecify.annotations.NullMarked;
