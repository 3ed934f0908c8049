/** The lease store under many instances, buckets and waiting clients. */
@NullMarked
package dev.comporta.bench.fleet;

import org.jspecify.annotations.NullMarked;
