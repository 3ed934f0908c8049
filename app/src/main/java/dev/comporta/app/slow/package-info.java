/** The log of slow requests: what they were, without the values in them. */
@NullMarked
package dev.comporta.app.slow;

import org.jspecify.annotations.NullMarked;
