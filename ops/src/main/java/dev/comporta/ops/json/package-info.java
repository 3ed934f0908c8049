/** JSON, over the library that reads and writes its tokens. */
@NullMarked
package dev.comporta.ops.json;

import org.jspecify.annotations.NullMarked;
