/** How long the product takes from its start until it serves. */
@NullMarked
package dev.comporta.bench.start;

import org.jspecify.annotations.NullMarked;
