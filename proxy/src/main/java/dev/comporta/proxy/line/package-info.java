/** Both ends of the relay as network connections: what is the same for whoever shares a server connection and who does not. */
@NullMarked
package dev.comporta.proxy.line;

import org.jspecify.annotations.NullMarked;
