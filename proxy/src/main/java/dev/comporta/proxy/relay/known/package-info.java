/** What is known of a server and a session on it, and what must happen before the session serves another client. */
@NullMarked
package dev.comporta.proxy.relay.known;

import org.jspecify.annotations.NullMarked;
