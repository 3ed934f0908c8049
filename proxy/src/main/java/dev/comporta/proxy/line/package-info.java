/** Both ends of the relay as network connections: what is the same for clients that share server connections and for those that don't. */
@NullMarked
package dev.comporta.proxy.line;

import org.jspecify.annotations.NullMarked;
