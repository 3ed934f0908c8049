package dev.comporta.lease;

import java.time.Duration;
import java.util.List;

/**
 * The state of one bucket's slots, as of the store's last answer.
 *
 * @param bucket the bucket whose slots these are
 * @param standing this instance's standing towards the store
 * @param held slots this instance holds
 * @param waiting slots it waits in line for
 * @param limit the limit in force; 0 before the first answer
 * @param limitVersion counts the changes made to it while instances run
 * @param sinceHeartbeat how long ago the last call was sent that was answered; negative before the first
 * @param fleet the instances and what they hold
 */
public record LeaseView(
        String bucket,
        Standing standing,
        int held,
        int waiting,
        int limit,
        long limitVersion,
        Duration sinceHeartbeat,
        List<Holder> fleet) {
    /** An instance's standing towards the store. */
    public enum Standing {
        IN_TOUCH,
        /** The last call failed; the lease still holds. */
        TROUBLED,
        /** The lease has expired, and the instance uses its fair share. */
        FALLBACK,
        /** Another process runs under this instance's name: this one has no slots. */
        SUPERSEDED
    }

    /**
     * An instance's part in the bucket.
     *
     * @param limit as it is configured; {@link LeaseView#limit} is the limit in force
     * @param left the time until it counts as dead, unless it calls before
     */
    public record Holder(String instance, int held, int waiting, int idle, int limit, Duration left) {}

    /** The lowest limit that an instance is configured with; it is the limit in force before the first answer. */
    public int lowestLimit() {
        return fleet.stream().mapToInt(Holder::limit).min().orElse(limit);
    }

    /** The highest limit that an instance is configured with. */
    public int highestLimit() {
        return fleet.stream().mapToInt(Holder::limit).max().orElse(limit);
    }

    /**
     * Whether instances are configured with different limits, or with a limit that is not in force. In force is the
     * lowest limit, or one that was changed at runtime, until all are configured with it.
     */
    public boolean isLimitDisputed() {
        return lowestLimit() != highestLimit() || limit != lowestLimit();
    }
}
