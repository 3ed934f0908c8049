/** A request on its way to the server, and its response on the way back: inspected while they are relayed. */
@NullMarked
package dev.comporta.proxy.relay;

import org.jspecify.annotations.NullMarked;
