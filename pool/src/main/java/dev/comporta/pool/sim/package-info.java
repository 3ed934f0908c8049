/**
 * Drives the pool core through a fleet's day in virtual time: the very code that runs in production, with tenants,
 * servers and a clock that are made up. Same settings and seed, same result.
 */
@NullMarked
package dev.comporta.pool.sim;

import org.jspecify.annotations.NullMarked;
