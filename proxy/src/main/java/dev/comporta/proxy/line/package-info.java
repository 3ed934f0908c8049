/** Both ends of the relay as network connections: what clients with shared and with dedicated server connections have in common. */
@NullMarked
package dev.comporta.proxy.line;

import org.jspecify.annotations.NullMarked;
