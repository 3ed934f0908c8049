/** The settings of the log and of slow requests in proxy.yaml. */
@NullMarked
package dev.comporta.ops.config.log;

import org.jspecify.annotations.NullMarked;
