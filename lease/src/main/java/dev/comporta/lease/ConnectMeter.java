package dev.comporta.lease;

import dev.comporta.lease.LeaseOperations.Operation;
import dev.comporta.lease.LeaseOperations.Outcome;
import dev.comporta.pool.lease.LeasedBucket;
import dev.comporta.pool.settings.ConnectRateSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leave to connect, out of the rate that the fleet shares. One call asks for all connects that wait at that time. Without
 * Redis, connects are spaced as if every instance did the same. Confined to the bucket's thread.
 */
final class ConnectMeter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final RedisLeases fleet;
    private final LeasedBucket bucket;
    private final String key;
    private final Runnable moved;

    private int wanted;
    /** When to ask, or to allow one ourselves; {@link SlotAccount#ALWAYS} while a call is under way. */
    private long askAt;

    /** @param moved to be run when an answer has changed what is due, and when */
    ConnectMeter(RedisLeases fleet, LeasedBucket bucket, String key, Runnable moved) {
        this.fleet = fleet;
        this.bucket = bucket;
        this.key = key;
        this.moved = moved;
    }

    void want(int connects) {
        wanted += connects;
    }

    long dueAt() {
        return wanted == 0 ? SlotAccount.ALWAYS : askAt;
    }

    /** @param share how many instances there may be, if Redis can't be asked; 0 if it can */
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
        askAt = SlotAccount.ALWAYS;
        fleet.link()
                .run(
                        LeaseScript.CONNECTS,
                        key,
                        Integer.toString(wanted),
                        Integer.toString(rate.perSecond()),
                        Integer.toString(rate.burst()))
                .whenComplete((reply, _) -> bucket.execute(() -> answered(reply)));
    }

    private void answered(@Nullable List<?> reply) {
        long now = fleet.clock().now();
        if (reply == null) {
            fleet.operations().count(Operation.CONNECTS, Outcome.FAILED);
            askAt = now + NANOS_PER_SECOND / 10;
            moved.run();
            return;
        }
        fleet.operations().count(Operation.CONNECTS, Outcome.OK);
        askAt = now + (Long) reply.get(1) * NANOS_PER_MILLI;
        int allowed = ((Long) reply.get(0)).intValue();
        if (allowed >= wanted) {
            askAt = now;
        }
        allow(Math.min(allowed, wanted));
        moved.run();
    }

    private void allow(int connects) {
        if (connects > 0) {
            wanted -= connects;
            bucket.connectsAllowed(connects);
        }
    }
}
