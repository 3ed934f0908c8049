/** The settings of this instance in proxy.yaml. */
@NullMarked
package dev.comporta.ops.config.proxy;

import org.jspecify.annotations.NullMarked;
