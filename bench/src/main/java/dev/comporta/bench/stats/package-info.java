/** Statistics for several benchmarks. */
@NullMarked
package dev.comporta.bench.stats;

import org.jspecify.annotations.NullMarked;
