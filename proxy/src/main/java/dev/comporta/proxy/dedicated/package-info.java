/**
 * Clients that can't share: each has a server connection of its own from its login to its leaving, and everything is
 * relayed as it comes.
 */
@NullMarked
package dev.comporta.proxy.dedicated;

import org.jspecify.annotations.NullMarked;
