/** Running requests: statements, procedures that run statements, bulk loads. */
@NullMarked
package dev.comporta.standin.engine.run;

import org.jspecify.annotations.NullMarked;
