/** What differs between databases: health query, reset, connect timeout, and what their errors mean. */
@NullMarked
package dev.comporta.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
