/** The SQL console as a JDBC database: what tools need of a driver, over texts that the console runs in this process. */
@NullMarked
package dev.comporta.jdbc.admin;

import org.jspecify.annotations.NullMarked;
