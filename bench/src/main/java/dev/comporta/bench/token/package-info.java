/** The cost of walking the tokens of a response. */
@NullMarked
package dev.comporta.bench.token;

import org.jspecify.annotations.NullMarked;
