/** What the pool knows of one server connection: its session, its lifetime, the check under way, its traffic. */
@NullMarked
package dev.comporta.pool.connection;

import org.jspecify.annotations.NullMarked;
