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
 * @param silence the longest time for which an event loop has shown no activity
 * @param fleet absent if this instance belongs to no fleet
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

    /** The phase of an instance's life. */
    public enum Phase {
        /** It does not accept clients yet: the first connections are being opened. */
        STARTING,
        RUNNING,
        /** It accepts no more clients, and waits for the connected ones to leave. */
        DRAINING
    }

    /**
     * A bucket.
     *
     * @param server the server that its connections go to now
     * @param age the age of the figures: if the loop did not answer in time, they are its last ones
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
     * What the relay of a bucket did besides passing requests on. The maps contain all keys, those with 0 too.
     *
     * @param resets resets of server sessions, by their cause
     * @param ownMessages Comporta's own requests to the server, by reason
     * @param logins successful logins of clients, by how they were checked
     * @param refusals by the error that clients got
     * @param packetsSent to the server, by type
     * @param packetsReceived from the server, by type
     * @param stateReplays how often a client's settings were applied to another server connection
     * @param handshakes successful TLS handshakes with the server
     * @param slowRequests requests that took {@code slow_request} or longer
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
     * The figures of the data plane that belong to no bucket.
     *
     * @param loopLags how late event loops run due tasks, by their names
     * @param directBuffers bytes of network buffers outside of the heap
     * @param heapBuffers bytes of network buffers on the heap
     * @param mostDirectBuffers the limit of {@code directBuffers}
     * @param handshakes successful TLS handshakes with clients
     * @param refusals of clients before a bucket was found for them, by the error that they got
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
     * @param fallback whether it may use its fair share while the store can't be reached
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

        /** Whether the store can't be reached for at least one bucket. */
        public boolean isDegraded() {
            return leases.stream().anyMatch(lease -> lease.standing() != LeaseView.Standing.IN_TOUCH);
        }

        public boolean isSuperseded() {
            return leases.stream().anyMatch(lease -> lease.standing() == LeaseView.Standing.SUPERSEDED);
        }
    }

    /**
     * The numbers of reloads.
     *
     * @param failed reloads that changed nothing because of errors in the files
     */
    public record ReloadCounts(long applied, long failed, boolean lastFailed) {
        public static final ReloadCounts NONE = new ReloadCounts(0, 0, false);
    }
}
