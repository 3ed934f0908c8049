/** Where clients come from: their addresses, ranges of addresses, and the header by which a load balancer tells. */
@NullMarked
package dev.comporta.proxy.origin;

import org.jspecify.annotations.NullMarked;
