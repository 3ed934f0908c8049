/** Writes the alert rules for Prometheus and the dashboards for Grafana from one description. Not a part of the product. */
@NullMarked
package dev.comporta.monitoring;

import org.jspecify.annotations.NullMarked;
