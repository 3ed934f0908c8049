/** Reads and writes JSON, with a library for its tokens. */
@NullMarked
package dev.comporta.ops.json;

import org.jspecify.annotations.NullMarked;
