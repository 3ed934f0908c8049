/** The dashboards, and Grafana's files of them. */
@NullMarked
package dev.comporta.monitoring.board;

import org.jspecify.annotations.NullMarked;
