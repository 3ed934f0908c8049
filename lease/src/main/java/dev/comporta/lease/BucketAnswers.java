package dev.comporta.lease;

import dev.comporta.pool.Bucket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bucket's events. They run orders, which may ask and give back: the account is in order before each. Confined to the
 * bucket's thread.
 */
final class BucketAnswers implements SlotAccount.Answers {
    private static final Logger log = LoggerFactory.getLogger(BucketAnswers.class);

    private final String bucketId;
    private final LeaseHost host;

    /** Absent until it has joined. */
    @Nullable
    Bucket bucket;

    BucketAnswers(String bucketId, LeaseHost host) {
        this.bucketId = bucketId;
        this.host = host;
    }

    Bucket bucket() {
        Bucket b = bucket;
        if (b == null) {
            throw new IllegalStateException("bucket " + bucketId + " never asked");
        }
        return b;
    }

    /** Another instance's change of the limit lets this bucket have more than it is configured with, or no longer. */
    void mayHave(int limit) {
        bucket().limitRaised(limit, host.now());
    }

    @Override
    public void granted(int slots) {
        bucket().slotsGranted(slots, host.now());
    }

    @Override
    public void queued(int slots) {
        bucket().slotsQueued(slots, host.now());
    }

    @Override
    public void denied(int slots) {
        bucket().slotsDenied(slots, host.now());
    }

    @Override
    public void withdrawn(int slots) {
        bucket().slotsWithdrawn(slots, host.now());
    }

    @Override
    public void revoked(int slots) {
        log.warn("bucket {}: {} slots are over and their connections close", bucketId, slots);
        bucket().slotsRevoked(slots, host.now());
    }

    @Override
    public void demanded(int slots) {
        bucket().slotsDemanded(slots, host.now());
    }
}
