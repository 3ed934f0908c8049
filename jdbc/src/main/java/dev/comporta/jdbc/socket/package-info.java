/** Detects when the server has ended a connection. */
@NullMarked
package dev.comporta.jdbc.socket;

import org.jspecify.annotations.NullMarked;
