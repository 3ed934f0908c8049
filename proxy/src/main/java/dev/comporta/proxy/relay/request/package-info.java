/** What is found in a client's request while it passes: calls, statements, handles, and what pins its client. */
@NullMarked
package dev.comporta.proxy.relay.request;

import org.jspecify.annotations.NullMarked;
