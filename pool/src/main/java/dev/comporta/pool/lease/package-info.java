/**
 * The contract between a bucket and the store that leases slots to it. {@link dev.comporta.pool.lease.LeasePort} is what a
 * bucket asks, {@link dev.comporta.pool.lease.LeasedBucket} takes the store's answers on the bucket's thread, and
 * {@link dev.comporta.pool.lease.LeaseSource} is where a bucket gets its port from.
 */
@NullMarked
package dev.comporta.pool.lease;

import org.jspecify.annotations.NullMarked;
