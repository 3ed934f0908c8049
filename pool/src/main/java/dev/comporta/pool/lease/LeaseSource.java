package dev.comporta.proxy.attach;

import dev.comporta.pool.LeasePort;
import dev.comporta.pool.LocalLeases;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Where buckets get their slots from. */
@FunctionalInterface
public interface LeaseSource extends AutoCloseable {
    /** The thread that a bucket lives on: whatever answers a bucket does it there. */
    interface BucketThread extends Executor {
        /** What the bucket's events are dated by. */
        long now();

        /** The bucket has had events that it did not ask for: it may have a new deadline. To be called on the thread. */
        void answered();
    }

    /** Of a bucket that shares its limit with nobody. */
    LeaseSource LOCAL = (bucket, thread) -> new LocalLeases();

    /** One for each bucket and its life. */
    LeasePort leasesOf(String bucket, BucketThread thread);

    /**
     * The bucket was removed, and lets go of its slots.
     *
     * @return done when the last of them is given back, or that was tried
     */
    default CompletableFuture<?> left(String bucket) {
        return CompletableFuture.completedFuture(bucket);
    }

    /** The buckets have closed their connections; their threads still run. */
    @Override
    default void close() {}
}
