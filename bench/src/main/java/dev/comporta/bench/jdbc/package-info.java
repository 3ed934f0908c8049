/** Benchmarks of the pool in process, beside another. */
@NullMarked
package dev.comporta.bench.jdbc;

import org.jspecify.annotations.NullMarked;
