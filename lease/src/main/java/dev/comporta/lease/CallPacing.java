package dev.comporta.lease;

import dev.comporta.lease.store.LeaseCall;
import dev.comporta.lease.store.LeaseReply;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides when a bucket's account calls the store: soon if there is news, else regularly. Confined to the bucket's thread. */
final class CallPacing {
    /** The due time of something that has nothing to do: later than any other. */
    static final long NOT_DUE = Long.MAX_VALUE;

    /** How often an instance in the line calls the store in case an announcement was lost. */
    private static final long POLL_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long FIRST_BACKOFF_NANOS = Duration.ofMillis(50).toNanos();
    /** A store that is back must be found well within a lease. */
    private static final long SLOWEST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();

    /**
     * While this instance waits in line no slot is free, and the number of slots that it waits for changes with every
     * client that comes or is served: without this pause every request would cause a call.
     */
    private static final long LINE_NEWS_NANOS = Duration.ofMillis(100).toNanos();

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final long interval;
    private final RandomGenerator random;

    private long lastSentAt;
    private @Nullable LeaseCall lastCall;
    private long backoff = FIRST_BACKOFF_NANOS;
    private long retryAt;
    private long pollAt;

    CallPacing(long interval, RandomGenerator random) {
        this.interval = interval;
        this.random = random;
    }

    long nextCallAt(SlotAccount account) {
        long heartbeat = nextBeat();
        if (account.standing == SlotAccount.Standing.SUPERSEDED) {
            return heartbeat;
        }
        if (account.news) {
            boolean inLine = lastCall != null && isOnlyLineNews(lastCall, account);
            return inLine ? Math.max(retryAt, lastSentAt + LINE_NEWS_NANOS) : retryAt;
        }
        return Math.max(retryAt, account.asks.line > 0 ? Math.min(heartbeat, pollAt) : heartbeat);
    }

    /** Whether the store, which answered this call, still has this instance in line, and only the number waited for is new. */
    private static boolean isOnlyLineNews(LeaseCall answered, SlotAccount account) {
        return account.standing == SlotAccount.Standing.IN_TOUCH
                && account.form == LeaseCall.Form.SYNC
                && account.incarnation == answered.incarnation()
                && account.seen < answered.asked()
                && account.returned == answered.returned()
                && account.asks.atOnce == 0;
    }

    /** Beats are the same for all buckets of an instance, so that their heartbeats go out together. */
    private long nextBeat() {
        return (lastSentAt / interval + 1) * interval;
    }

    /** The last call that was sent; null before the first. */
    @Nullable
    LeaseCall lastCall() {
        return lastCall;
    }

    void sent(LeaseCall call, long now) {
        lastSentAt = now;
        lastCall = call;
    }

    /** It is not known yet whether the store can be reached. */
    void holdOff(long now) {
        retryAt = now + FIRST_BACKOFF_NANOS;
    }

    void failed(long now) {
        retryAt = now + backoff / 2 + random.nextLong(backoff / 2 + 1);
        backoff = Math.min(backoff * 2, SLOWEST_BACKOFF_NANOS);
    }

    void answered(LeaseReply reply, long now) {
        backoff = FIRST_BACKOFF_NANOS;
        retryAt = now;
        long opens = (reply.opensInMillis() + 1) * NANOS_PER_MILLI;
        pollAt = now + (reply.opensInMillis() > 0 ? Math.min(POLL_NANOS, opens) : POLL_NANOS);
    }
}
