/** Instances as processes of their own, a real Redis between them, and a load that goes on whatever is done to them. */
@NullMarked
package dev.comporta.e2e.fleet;

import org.jspecify.annotations.NullMarked;
