/** A request on its way to the server, and its response on the way back: read in passing, forwarded as it comes. */
@NullMarked
package dev.comporta.proxy.relay;

import org.jspecify.annotations.NullMarked;
