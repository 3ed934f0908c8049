/** What every store of the fleet's slots must do: tests that a store's own tests extend, with real buckets and leases. */
package dev.comporta.lease.suite;
