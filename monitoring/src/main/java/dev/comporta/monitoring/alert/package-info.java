/** The alerts, and the file with their rules for Prometheus. */
@NullMarked
package dev.comporta.monitoring.alert;

import org.jspecify.annotations.NullMarked;
