/** What it costs to walk the tokens of a response. */
@NullMarked
package dev.comporta.bench.token;

import org.jspecify.annotations.NullMarked;
