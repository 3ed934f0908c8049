/** A load balancer in front of the proxy. */
@NullMarked
package dev.comporta.e2e.front;

import org.jspecify.annotations.NullMarked;
