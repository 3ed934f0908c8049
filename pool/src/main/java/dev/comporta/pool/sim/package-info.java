/**
 * Drives the pool core through a fleet's day in virtual time: the very code that runs in production, with simulated
 * tenants, servers and clock. The same settings and seed give the same result.
 */
@NullMarked
package dev.comporta.pool.sim;

import org.jspecify.annotations.NullMarked;
