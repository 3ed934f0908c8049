/** The fleet's books in Redis: Lettuce, and the Lua scripts that decide. {@code docs/fleet.md} describes the protocol. */
@NullMarked
package dev.comporta.lease.redis;

import org.jspecify.annotations.NullMarked;
