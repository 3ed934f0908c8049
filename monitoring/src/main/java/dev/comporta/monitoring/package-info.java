/** Writes what Prometheus and Grafana are told of Comporta: one description, several files. No part of the product. */
@NullMarked
package dev.comporta.monitoring;

import org.jspecify.annotations.NullMarked;
