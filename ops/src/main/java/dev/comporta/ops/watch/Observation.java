package dev.comporta.ops.watch;

import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseView;
import dev.comporta.ops.config.fleet.LeasesIn;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.HistogramSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * An instance at one moment. Immutable, apart from the counters of calls to the store.
 *
 * @param silence how long the event loop that has been silent for the longest has shown no sign of life
 * @param fleet absent where the limits are shared with nobody
 */
public record Observation(
        Instant at,
        Phase phase,
        String instance,
        Duration silence,
        List<BucketSight> buckets,
        Optional<FleetSight> fleet,
        ReloadCounts reloads,
        DataPlaneSight dataPlane) {
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
     * @param server where its connections go now
     * @param age how old the figures are: a loop that did not answer in time is shown as it was last seen
     */
    public record BucketSight(
            String id,
            String server,
            int clients,
            BucketSnapshot pool,
            PreparedSight prepared,
            RelaySight relay,
            Duration age) {}

    /**
     * What the relay of a bucket did beside passing requests on. The maps have all words, those at 0 too.
     *
     * @param resets of server sessions, by what brought them
     * @param ownMessages that Comporta asked the server in no client's name, by reason
     * @param logins of clients that were let in, by who judged them
     * @param refusals by the error that clients were told
     * @param packetsSent to the server, by type
     * @param packetsReceived from the server, by type
     * @param stateReplays settings of a client applied to another server connection
     * @param handshakes with the server that succeeded
     * @param slowRequests that took as long as {@code slow_request}
     */
    public record RelaySight(
            Map<String, Long> resets,
            Map<String, Long> ownMessages,
            Map<String, Long> logins,
            Map<String, Long> refusals,
            Map<String, Long> packetsSent,
            Map<String, Long> packetsReceived,
            long stateReplays,
            long handshakes,
            long failedHandshakes,
            long slowRequests) {}

    /**
     * What belongs to no bucket.
     *
     * @param loopLags how late event loops do what is due, by their names
     * @param directBuffers bytes that network buffers take outside of the heap
     * @param heapBuffers bytes that they take on the heap
     * @param mostDirectBuffers bytes that they may take outside of the heap
     * @param handshakes with clients that succeeded
     * @param refusals of clients before a bucket was found for them, by the error that they were told
     * @param refusedConnections of clients, by reason
     * @param certificateExpiry of the certificate that clients see; absent without one
     */
    public record DataPlaneSight(
            Map<String, HistogramSnapshot> loopLags,
            long directBuffers,
            long heapBuffers,
            long mostDirectBuffers,
            long handshakes,
            long failedHandshakes,
            Map<String, Long> refusals,
            SortedMap<String, Long> refusedConnections,
            Optional<Instant> certificateExpiry) {
        public static final DataPlaneSight NONE =
                new DataPlaneSight(Map.of(), 0, 0, 0, 0, 0, Map.of(), Collections.emptySortedMap(), Optional.empty());
    }

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
     * @param store where the slots are
     * @param fallback whether it goes on with its fair share while the store can't be reached
     */
    public record FleetSight(
            LeasesIn store,
            boolean fallback,
            Duration heartbeatInterval,
            Duration timeToLive,
            List<LeaseView> leases,
            LeaseOperations operations) {
        public FleetSight {
            leases = List.copyOf(leases);
        }

        /** Whether some bucket's slots can't be had from the store now. */
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
