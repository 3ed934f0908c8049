/** Benchmarks of the JDBC pool, compared with other pools. */
@NullMarked
package dev.comporta.bench.jdbc;

import org.jspecify.annotations.NullMarked;
