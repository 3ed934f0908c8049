/** The packages that {@code ./comporta dist} makes, as who installs them finds them. */
@NullMarked
package dev.comporta.e2e.dist;

import org.jspecify.annotations.NullMarked;
