/** What proxy.yaml says of the log, and of slow requests in it. */
@NullMarked
package dev.comporta.ops.config.log;

import org.jspecify.annotations.NullMarked;
