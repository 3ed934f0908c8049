/** {@code comporta top} in a real terminal. */
@NullMarked
package dev.comporta.e2e.top;

import org.jspecify.annotations.NullMarked;
