/** The fleet's books in Redis: Lettuce, and the Lua scripts that decide. The protocol is told in {@code docs/fleet.md}. */
@NullMarked
package dev.comporta.lease.redis;

import org.jspecify.annotations.NullMarked;
