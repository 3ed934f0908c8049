/** What an instance looks like at one moment, for health checks, metrics and people. */
@NullMarked
package dev.comporta.ops.watch;

import org.jspecify.annotations.NullMarked;
