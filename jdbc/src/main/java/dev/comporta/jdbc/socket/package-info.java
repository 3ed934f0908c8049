/** The end of a connection, as its server shows it. */
@NullMarked
package dev.comporta.jdbc.socket;

import org.jspecify.annotations.NullMarked;
