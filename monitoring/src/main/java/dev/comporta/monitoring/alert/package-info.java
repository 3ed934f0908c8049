/** The alerts, and Prometheus' file of them. */
@NullMarked
package dev.comporta.monitoring.alert;

import org.jspecify.annotations.NullMarked;
