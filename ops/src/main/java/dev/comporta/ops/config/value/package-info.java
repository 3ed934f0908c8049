/** Parses values in the configuration files: durations, sizes, addresses, secrets. */
@NullMarked
package dev.comporta.ops.config.value;

import org.jspecify.annotations.NullMarked;
