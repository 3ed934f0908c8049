/** Meters for Micrometer, which is optional: only this package needs it. */
@NullMarked
package dev.comporta.jdbc.micrometer;

import org.jspecify.annotations.NullMarked;
