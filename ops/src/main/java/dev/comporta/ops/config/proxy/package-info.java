/** What proxy.yaml says of this instance. */
@NullMarked
package dev.comporta.ops.config.proxy;

import org.jspecify.annotations.NullMarked;
