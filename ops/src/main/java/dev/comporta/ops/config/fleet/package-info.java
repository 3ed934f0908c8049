/** What proxy.yaml says of the fleet: the store that holds its slots. */
@NullMarked
package dev.comporta.ops.config.fleet;

import org.jspecify.annotations.NullMarked;
