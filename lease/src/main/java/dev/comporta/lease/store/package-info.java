/** What a store of the fleet's slots must do, and the calls and replies that it takes and gives. */
@NullMarked
package dev.comporta.lease.store;

import org.jspecify.annotations.NullMarked;
