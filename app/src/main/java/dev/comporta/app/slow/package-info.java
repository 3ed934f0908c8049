/** The log of slow requests: their statements, without values. */
@NullMarked
package dev.comporta.app.slow;

import org.jspecify.annotations.NullMarked;
