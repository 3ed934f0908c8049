/** What an instance does in figures, in Prometheus' text format. */
@NullMarked
package dev.comporta.ops.metrics;

import org.jspecify.annotations.NullMarked;
