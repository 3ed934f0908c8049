package dev.comporta.lease.url;

import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.LeaseStore;

/** Opens a store whose configuration has been checked. */
@FunctionalInterface
public interface StoreOpener {
    /** Begins to connect, without waiting. */
    LeaseStore open(LeaseSettings me);
}
