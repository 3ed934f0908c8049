/** Makes classes at run time for the hundreds of methods of JDBC's interfaces that are all alike. */
@NullMarked
package dev.comporta.jdbc.generate;

import org.jspecify.annotations.NullMarked;
