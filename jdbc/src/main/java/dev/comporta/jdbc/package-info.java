/** The pool in process: data source, JDBC driver and registry over the same core as the proxy. */
@NullMarked
package dev.comporta.jdbc;

import org.jspecify.annotations.NullMarked;
