/** An instance's metrics in Prometheus' text format. */
@NullMarked
package dev.comporta.ops.metrics;

import org.jspecify.annotations.NullMarked;
