/** Inspection of a client's request while it is relayed: calls, statements, handles, and what pins its client. */
@NullMarked
package dev.comporta.proxy.relay.request;

import org.jspecify.annotations.NullMarked;
