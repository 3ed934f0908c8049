package dev.comporta.lease;

import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.pool.lease.LeasedBucket;
import dev.comporta.pool.settings.ConnectRateSettings;
import org.jspecify.annotations.Nullable;

/**
 * Connect permits granted by the fleet, out of the rate that its instances share. One call asks for all connects that wait
 * at that time. Without the store, connects are spaced as if every instance did the same. Confined to the bucket's thread.
 */
final class ConnectMeter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final FleetLeases fleet;
    private final LeasedBucket bucket;
    private final String bucketId;
    private final Runnable moved;

    private int wanted;
    /** When to ask, or to permit one without the store; {@link CallPacing#NOT_DUE} while a call is in flight. */
    private long askAt;

    /** @param moved runs when an answer has changed the due time */
    ConnectMeter(FleetLeases fleet, LeasedBucket bucket, String bucketId, Runnable moved) {
        this.fleet = fleet;
        this.bucket = bucket;
        this.bucketId = bucketId;
        this.moved = moved;
    }

    void want(int connects) {
        wanted += connects;
    }

    long dueAt() {
        return wanted == 0 ? CallPacing.NOT_DUE : askAt;
    }

    /** @param share the presumed number of instances if the store can't be asked; 0 if it can */
    void pump(int share, long now) {
        if (wanted == 0 || now < askAt) {
            return;
        }
        ConnectRateSettings rate = bucket.settings().connectRate();
        if (share > 0) {
            askAt = now + NANOS_PER_SECOND * share / rate.perSecond();
            allow(1);
            return;
        }
        askAt = CallPacing.NOT_DUE;
        fleet.store()
                .connects(bucketId, wanted, rate)
                .whenComplete((permits, _) -> bucket.execute(() -> answered(permits)));
    }

    private void answered(@Nullable ConnectPermits permits) {
        long now = fleet.clock().now();
        if (permits == null) {
            fleet.operations().count(Operation.CONNECTS, Outcome.FAILED);
            askAt = now + NANOS_PER_SECOND / 10;
            moved.run();
            return;
        }
        fleet.operations().count(Operation.CONNECTS, Outcome.OK);
        askAt = now + permits.retryInMillis() * NANOS_PER_MILLI;
        if (permits.granted() >= wanted) {
            askAt = now;
        }
        allow(Math.min(permits.granted(), wanted));
        moved.run();
    }

    private void allow(int connects) {
        if (connects > 0) {
            wanted -= connects;
            bucket.connectsAllowed(connects);
        }
    }
}
