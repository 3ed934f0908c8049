/** The live page in a real browser. */
@NullMarked
package dev.comporta.e2e.live;

import org.jspecify.annotations.NullMarked;
