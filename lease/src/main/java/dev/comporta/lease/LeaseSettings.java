package dev.comporta.lease;

import java.time.Duration;

/**
 * How an instance takes part in the fleet.
 *
 * @param instance its name, unique among the live ones; a process that starts under the name of a dead one takes over its
 *     slots at once
 * @param heartbeatInterval how often it proves that it lives
 * @param timeToLive how long it counts as alive after that; the same for all instances
 * @param fallback whether it goes on with its fair share while the store can't be reached, or refuses
 * @param localLimitDivisor the smallest number of instances to assume
 */
public record LeaseSettings(
        String instance, Duration heartbeatInterval, Duration timeToLive, boolean fallback, int localLimitDivisor) {
    public LeaseSettings {
        if (instance.isEmpty()) {
            throw new IllegalArgumentException("An instance needs a name");
        }
        if (heartbeatInterval.isZero() || timeToLive.compareTo(heartbeatInterval.multipliedBy(2)) <= 0) {
            throw new IllegalArgumentException("heartbeat_ttl must be more than twice heartbeat_interval");
        }
        if (localLimitDivisor < 1) {
            throw new IllegalArgumentException("local_limit_divisor must be at least 1");
        }
    }

    /**
     * How long a store may wait for a connection or an answer: a third of {@code timeToLive}. The next call is made
     * within half of the lease. Its failure must be known before the lease has expired: otherwise an instance that can't
     * reach the store would conclude that it had been paused, and give up its fair share too.
     */
    public Duration longestCall() {
        return timeToLive.dividedBy(3);
    }

    /** The lease is a tenth shorter than {@code timeToLive}, so that an instance stops before the store takes its slots. */
    LeaseTerms terms() {
        long ttl = timeToLive.toNanos();
        return new LeaseTerms(ttl, ttl - ttl / 10, fallback, localLimitDivisor);
    }
}
