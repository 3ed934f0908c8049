/** The contract of a store of the fleet's slots: the calls that it takes, and its replies. */
@NullMarked
package dev.comporta.lease.store;

import org.jspecify.annotations.NullMarked;
