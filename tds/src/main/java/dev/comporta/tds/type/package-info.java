/** SQL Server's data types on the wire: TYPE_INFO, and values to and from Java objects. */
@NullMarked
package dev.comporta.tds.type;

import org.jspecify.annotations.NullMarked;
