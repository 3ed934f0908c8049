package dev.comporta.lease;

import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.lease.store.ConnectPermits;
import dev.comporta.pool.lease.LeasedBucket;
import dev.comporta.pool.rate.ConnectWindow;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connect permits granted by the fleet, out of the rate that its instances share. One call asks for all connects that wait
 * at that time. Without the store, connects are spaced as if every instance did the same. Confined to the bucket's thread.
 *
 * <p>The store counts a permit for a second after its latest use. So each ask has a time within which its permits are used:
 * if the answer takes longer, they expire, and the next ask has more time. The less time, the more of the rate can be used.
 */
final class ConnectMeter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** The time for the first ask, when nothing is known of the store's speed: scripts and classes may have to be loaded. */
    private static final long FIRST_TIME_TO_USE = 100 * NANOS_PER_MILLI;
    /** Many times as long as an answer takes, so that a thread's delay makes none late: it costs a fiftieth of the rate. */
    private static final long SHORTEST_TIME_TO_USE = 20 * NANOS_PER_MILLI;

    private final FleetLeases fleet;
    private final LeasedBucket bucket;
    private final String bucketId;
    private final Runnable moved;

    private int wanted;
    /** When to ask, or to permit one without the store; {@link CallPacing#NOT_DUE} while a call is in flight. */
    private long askAt;
    /** The time from the grant within which the permits of the next ask, or of the one in flight, are used. */
    private long timeToUse = FIRST_TIME_TO_USE;
    /** Until when permits of the store may still count, as far as this instance knows: no connect without the store before. */
    private long storesUntil;
    /** Until when connects without the store, which it does not know of, still count: the store is not asked before. */
    private long ownUntil;

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
        long notBefore = share > 0 ? storesUntil : ownUntil;
        if (now < notBefore) {
            askAt = notBefore;
            return;
        }
        ConnectRateSettings rate = bucket.settings().connectRate();
        if (share > 0) {
            askAt = now + pauseBetweenOwn(rate.perSecond(), share);
            ownUntil = now + ConnectWindow.COUNTS_NANOS;
            allow(1);
            return;
        }
        askAt = CallPacing.NOT_DUE;
        fleet.store()
                .connects(bucketId, wanted, rate, Duration.ofNanos(ConnectWindow.COUNTS_NANOS + timeToUse))
                .whenComplete((permits, _) -> {
                    long decidedAt = permits == null ? 0 : fleet.clock().now() - permits.ageNanos();
                    bucket.execute(() -> answered(permits, decidedAt));
                });
    }

    /** The pause that keeps this instance within its share of the rate, also if that is less than one connect in a second. */
    private static long pauseBetweenOwn(int perSecond, int share) {
        int part = perSecond / share;
        return part > 0
                ? Math.ceilDiv(ConnectWindow.COUNTS_NANOS, part)
                : Math.ceilDiv(ConnectWindow.COUNTS_NANOS * share, perSecond);
    }

    private void answered(@Nullable ConnectPermits permits, long decidedAt) {
        long now = fleet.clock().now();
        if (permits == null) {
            fleet.operations().count(Operation.CONNECTS, Outcome.FAILED);
            askAt = now + NANOS_PER_SECOND / 10;
            moved.run();
            return;
        }
        fleet.operations().count(Operation.CONNECTS, Outcome.OK);
        storesUntil = now + ConnectWindow.COUNTS_NANOS;
        int granted = usable(permits, now - decidedAt);
        boolean askSoon = granted >= wanted || granted < permits.granted();
        askAt = askSoon ? now : now + permits.retryInMillis() * NANOS_PER_MILLI;
        allow(Math.min(granted, wanted));
        moved.run();
    }

    /** All permits, or none if the answer has come too late. */
    private int usable(ConnectPermits permits, long took) {
        boolean late = took > timeToUse;
        timeToUse = late
                ? Math.min(2 * took, fleet.settings().longestCall().toNanos())
                : Math.max(Math.max(2 * took, timeToUse - timeToUse / 8), SHORTEST_TIME_TO_USE);
        return late ? 0 : permits.granted();
    }

    private void allow(int connects) {
        if (connects > 0) {
            wanted -= connects;
            bucket.connectsAllowed(connects);
        }
    }
}
