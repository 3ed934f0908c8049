package dev.comporta.lease;

import java.util.concurrent.Executor;

/** The thread a bucket lives on, and its clock. */
public interface LeaseHost extends Executor {
    /** The bucket's time: what its events are dated by. */
    long now();

    /** Slots were granted, denied or demanded: the bucket may have a new deadline. Called on the bucket's thread. */
    void answered();
}
