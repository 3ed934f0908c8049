/** Meters for Micrometer, which is optional: without this package, nothing of it is needed. */
@NullMarked
package dev.comporta.jdbc.micrometer;

import org.jspecify.annotations.NullMarked;
