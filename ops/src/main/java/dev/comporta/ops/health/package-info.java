/** Whether an instance is fit to serve, in the form that probes and people ask for it. */
@NullMarked
package dev.comporta.ops.health;

import org.jspecify.annotations.NullMarked;
