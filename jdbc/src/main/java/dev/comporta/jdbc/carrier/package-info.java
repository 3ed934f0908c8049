/** Carries a bucket of the core for many threads: one lock, waiting by park in arrival order, connects, resets and checks on virtual threads. */
@NullMarked
package dev.comporta.jdbc.carrier;

import org.jspecify.annotations.NullMarked;
