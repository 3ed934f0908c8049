/** Histograms that cost nothing to keep. */
@NullMarked
package dev.comporta.pool.stats;

import org.jspecify.annotations.NullMarked;
