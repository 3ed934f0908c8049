/** Runs control plane work that must give way to the data plane: answers about the instance. */
@NullMarked
package dev.comporta.ops.work;

import org.jspecify.annotations.NullMarked;
