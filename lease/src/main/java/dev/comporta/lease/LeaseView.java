package dev.comporta.lease;

import java.time.Duration;
import java.util.List;

/**
 * What is known of one bucket's slots, as of the last answer.
 *
 * @param bucket whose slots
 * @param standing how this instance stands with the store
 * @param held slots this instance holds
 * @param waiting slots it stands in line for
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
    /** How an instance stands with the store. */
    public enum Standing {
        IN_TOUCH,
        /** The last call failed; the lease still holds. */
        TROUBLED,
        /** No lease, and the fair share is all there is. */
        FALLBACK,
        /** Another process runs under this instance's name: this one has no slots. */
        SUPERSEDED
    }

    /**
     * An instance's part in the bucket.
     *
     * @param limit as it is configured; {@link LeaseView#limit} is the limit in force
     * @param left until it is dead, unless it is heard of before
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
