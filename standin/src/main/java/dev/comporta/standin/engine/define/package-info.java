/** Data definition: CREATE, ALTER and DROP. */
@NullMarked
package dev.comporta.standin.engine.define;

import org.jspecify.annotations.NullMarked;
