package dev.comporta.lease.url;

import dev.comporta.lease.LeaseSettings;
import dev.comporta.lease.store.LeaseStore;

/** A store that is known to be configured well, and not connected to. */
@FunctionalInterface
public interface StoreOpener {
    /** Begins to connect, without waiting. */
    LeaseStore open(LeaseSettings me);
}
