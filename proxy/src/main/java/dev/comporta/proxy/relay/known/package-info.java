/** What is known of a server and of a session on it, and what must happen before a session serves another client. */
@NullMarked
package dev.comporta.proxy.relay.known;

import org.jspecify.annotations.NullMarked;
