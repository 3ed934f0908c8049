/** Inspection of a server's response while it is relayed: its end, its transactions, the numbers and resets in it. */
@NullMarked
package dev.comporta.proxy.relay.response;

import org.jspecify.annotations.NullMarked;
