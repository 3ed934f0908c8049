/** What several benchmarks make of their figures. */
@NullMarked
package dev.comporta.bench.stats;

import org.jspecify.annotations.NullMarked;
