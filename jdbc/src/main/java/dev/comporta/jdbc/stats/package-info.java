/** The figures of pools, for code, JMX and Micrometer. */
@NullMarked
package dev.comporta.jdbc.stats;

import org.jspecify.annotations.NullMarked;
