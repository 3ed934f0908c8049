package dev.comporta.lease;

import dev.comporta.pool.lease.SlotAnswers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes answers on to the bucket, and logs when a lease expires. Passing one on runs orders, which may ask and give back:
 * the account is consistent before each. Confined to the bucket's thread.
 */
record LoggedAnswers(String bucketId, SlotAnswers bucket, LeaseNews news) implements SlotAnswers {
    private static final Logger log = LoggerFactory.getLogger(LoggedAnswers.class);

    @Override
    public void granted(int slots) {
        bucket.granted(slots);
    }

    @Override
    public void queued(int slots) {
        bucket.queued(slots);
    }

    @Override
    public void denied(int slots) {
        bucket.denied(slots);
    }

    @Override
    public void withdrawn(int slots) {
        bucket.withdrawn(slots);
    }

    @Override
    public void revoked(int slots) {
        log.atWarn()
                .addKeyValue("bucket", bucketId)
                .log("bucket {}: lease expired: closing {} server connections", bucketId, slots);
        news.expired(bucketId, slots);
        bucket.revoked(slots);
    }

    @Override
    public void demanded(int slots) {
        bucket.demanded(slots);
    }
}
