/** Everything together: real clients, against the real thing. */
@NullMarked
package dev.comporta.e2e;

import org.jspecify.annotations.NullMarked;
