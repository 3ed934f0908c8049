/** Finds the addresses of servers. */
@NullMarked
package dev.comporta.proxy.names;

import org.jspecify.annotations.NullMarked;
