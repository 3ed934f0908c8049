/** Benchmarks of the pool in process, beside others. */
@NullMarked
package dev.comporta.bench.jdbc;

import org.jspecify.annotations.NullMarked;
