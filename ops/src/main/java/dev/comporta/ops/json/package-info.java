/** JSON, as far as it is written here. */
@NullMarked
package dev.comporta.ops.json;

import org.jspecify.annotations.NullMarked;
