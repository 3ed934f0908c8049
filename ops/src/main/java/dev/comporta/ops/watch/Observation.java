package dev.comporta.ops.watch;

import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseView;
import dev.comporta.pool.stats.BucketSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An instance at one moment. Immutable, apart from the counters of Redis operations.
 *
 * @param silence how long the event loop has shown no sign of life that has been silent for the longest
 * @param fleet absent where the limits are shared with nobody
 */
public record Observation(
        Instant at,
        Phase phase,
        String instance,
        Duration silence,
        List<BucketSight> buckets,
        Optional<FleetSight> fleet,
        ReloadCounts reloads) {
    public Observation {
        buckets = List.copyOf(buckets);
    }

    /** Where an instance is in its life. */
    public enum Phase {
        /** It does not accept clients yet: the first connections are being opened. */
        STARTING,
        RUNNING,
        /** It accepts clients no more, and waits for those who are there. */
        DRAINING
    }

    /**
     * A bucket.
     *
     * @param age how old the figures are: a loop that did not answer in time is shown as it was last seen
     */
    public record BucketSight(String id, int clients, BucketSnapshot pool, PreparedSight prepared, Duration age) {}

    /**
     * The prepared statements of a bucket's clients.
     *
     * @param texts different statements that clients have handles for
     * @param bytes that their texts take
     * @param hits executions whose server connection had the statement
     * @param asText executions that were sent with the statement's text, because their server connection lacked it
     * @param preparedAgain statements that were prepared again on another server connection
     * @param pinned handles that pinned their client
     */
    public record PreparedSight(int texts, long bytes, long hits, long asText, long preparedAgain, long pinned) {}

    /**
     * This instance's part in the fleet.
     *
     * @param fallback whether it goes on with its fair share while Redis can't be reached
     */
    public record FleetSight(
            boolean fallback,
            Duration heartbeatInterval,
            Duration timeToLive,
            List<LeaseView> leases,
            LeaseOperations operations) {
        public FleetSight {
            leases = List.copyOf(leases);
        }

        /** Whether some bucket's slots can't be had from Redis now. */
        public boolean isDegraded() {
            return leases.stream().anyMatch(lease -> lease.standing() != LeaseView.Standing.IN_TOUCH);
        }

        public boolean isSuperseded() {
            return leases.stream().anyMatch(lease -> lease.standing() == LeaseView.Standing.SUPERSEDED);
        }
    }

    /**
     * How often the files were read again.
     *
     * @param failed times in which they had errors, so that nothing changed
     */
    public record ReloadCounts(long applied, long failed, boolean lastFailed) {
        public static final ReloadCounts NONE = new ReloadCounts(0, 0, false);
    }
}
