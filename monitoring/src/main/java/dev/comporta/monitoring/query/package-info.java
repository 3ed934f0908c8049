/** PromQL expressions that can only name metrics and labels that exist. */
@NullMarked
package dev.comporta.monitoring.query;

import org.jspecify.annotations.NullMarked;
