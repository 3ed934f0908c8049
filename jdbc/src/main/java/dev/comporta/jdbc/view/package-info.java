/** The statistics of a registry as views of SQL. */
@NullMarked
package dev.comporta.jdbc.view;

import org.jspecify.annotations.NullMarked;
