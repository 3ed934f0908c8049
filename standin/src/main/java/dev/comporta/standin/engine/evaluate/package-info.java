/** What names, functions and expressions mean in a session. */
@NullMarked
package dev.comporta.standin.engine.evaluate;

import org.jspecify.annotations.NullMarked;
