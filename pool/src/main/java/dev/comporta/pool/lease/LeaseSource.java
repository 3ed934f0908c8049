package dev.comporta.pool.lease;

import java.util.concurrent.CompletableFuture;

/** Where buckets get their slots from. */
@FunctionalInterface
public interface LeaseSource extends AutoCloseable {
    /** For buckets that share their limit with no other instance. */
    LeaseSource LOCAL = (_, _) -> new LocalLeases();

    /** One for each bucket and its life. The bucket takes answers when it has {@link LeasePort#joined}. */
    LeasePort leasesOf(String bucketId, LeasedBucket bucket);

    /**
     * The bucket was removed, and gives its slots back as its connections close.
     *
     * @return done when the last of them is given back, or that was tried
     */
    default CompletableFuture<?> left(String bucketId) {
        return CompletableFuture.completedFuture(bucketId);
    }

    /** The buckets have closed their connections; their threads still run. */
    @Override
    default void close() {}
}
