/** The dashboards, and their files for Grafana. */
@NullMarked
package dev.comporta.monitoring.board;

import org.jspecify.annotations.NullMarked;
