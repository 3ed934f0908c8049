/** The settings of the fleet in proxy.yaml: the store that holds its slots. */
@NullMarked
package dev.comporta.ops.config.fleet;

import org.jspecify.annotations.NullMarked;
