/** Names, functions and expressions in a session. */
@NullMarked
package dev.comporta.standin.engine.evaluate;

import org.jspecify.annotations.NullMarked;
