/**
 * Clients that can't share: each has a dedicated server connection until it disconnects, and all bytes are relayed as they come.
 */
@NullMarked
package dev.comporta.proxy.dedicated;

import org.jspecify.annotations.NullMarked;
