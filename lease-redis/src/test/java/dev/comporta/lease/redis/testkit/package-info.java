/** A real Redis, alone or as a cluster, and a way to it that can be broken: for the tests of whoever depends on Redis. */
@NullMarked
package dev.comporta.lease.redis.testkit;

import org.jspecify.annotations.NullMarked;
