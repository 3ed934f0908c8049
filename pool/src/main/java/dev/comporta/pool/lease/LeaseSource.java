package dev.comporta.pool.lease;

import java.util.concurrent.CompletableFuture;

/** Where buckets get their slots from. */
@FunctionalInterface
public interface LeaseSource extends AutoCloseable {
    /** For buckets that share their limit with no other instance. */
    LeaseSource LOCAL = (_, _) -> new LocalLeases();

    /** The port of a bucket, one for its whole life. The bucket takes answers from {@link LeasePort#joined} on. */
    LeasePort leasesOf(String bucketId, LeasedBucket bucket);

    /**
     * The bucket was removed, and gives its slots back as its connections close.
     *
     * @return complete when the last slot was given back, or the attempt has failed
     */
    default CompletableFuture<?> left(String bucketId) {
        return CompletableFuture.completedFuture(bucketId);
    }

    /** The buckets have closed their connections; their threads still run. */
    @Override
    default void close() {}
}
