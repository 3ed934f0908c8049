/** The state of an instance at one moment, for health checks, metrics and people. */
@NullMarked
package dev.comporta.ops.watch;

import org.jspecify.annotations.NullMarked;
