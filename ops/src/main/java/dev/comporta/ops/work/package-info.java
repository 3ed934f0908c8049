/** Where the control plane does what must give way to the data plane: answers to those who look at the instance. */
@NullMarked
package dev.comporta.ops.work;

import org.jspecify.annotations.NullMarked;
