/** Texts of the configuration files as values: durations, sizes, addresses, secrets. */
@NullMarked
package dev.comporta.ops.config.value;

import org.jspecify.annotations.NullMarked;
