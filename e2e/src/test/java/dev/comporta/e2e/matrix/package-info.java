/** Drivers that others wrote, each through the same scenarios, against any server that speaks TDS. */
@NullMarked
package dev.comporta.e2e.matrix;

import org.jspecify.annotations.NullMarked;
