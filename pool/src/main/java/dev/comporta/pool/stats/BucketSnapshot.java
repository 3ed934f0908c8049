package dev.comporta.pool.stats;

import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.state.Refusal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bucket at one moment. Times are the bucket's: nanoseconds since the carrier's origin.
 *
 * @param lastActivityAt the latest request or release
 * @param paused no client is given a connection until the operator resumes the bucket
 * @param connectionsByState how many connections are in each state; those at 0 are there too
 * @param waiting requests in the queue, and logins in their lane
 * @param overflow connections open beyond the limit
 * @param traffic sums over all its pools, those that are gone included
 * @param waitTime how long requests waited that got a connection
 * @param waitInVainTime how long requests waited in the queue that left it or were refused
 * @param attachTime how long clients kept a connection
 * @param connectTime how long it took to open one
 * @param queryTime how long queries took that the carrier counted
 * @param firstByteTime how long these queries took to the first byte of their answer
 */
public record BucketSnapshot(
        String id,
        long createdAt,
        long lastActivityAt,
        long takenAt,
        boolean paused,
        HealthSnapshot health,
        RoomSnapshot room,
        int limit,
        Map<ConnectionState, Long> connectionsByState,
        int waiting,
        int overflow,
        SlotsSnapshot slots,
        TrafficSnapshot traffic,
        Map<Refusal, Long> refused,
        Map<CloseReason, Long> closed,
        Map<OpenFailure, Long> openFailures,
        Map<PinReason, Long> pins,
        Map<PinReason, Long> pinnedNanos,
        long refills,
        long refillFailures,
        HistogramSnapshot waitTime,
        HistogramSnapshot waitInVainTime,
        HistogramSnapshot attachTime,
        HistogramSnapshot connectTime,
        HistogramSnapshot queryTime,
        HistogramSnapshot firstByteTime,
        List<PoolSnapshot> pools,
        List<ConnectionSnapshot> connections) {
    public int count(ConnectionState state) {
        return connectionsByState.getOrDefault(state, 0L).intValue();
    }

    /** Connections a client has. */
    public int active() {
        return count(ConnectionState.ATTACHED) + count(ConnectionState.PINNED);
    }

    /** Whether it is paused, no client has a connection, and none is being reset. */
    public boolean isQuiesced() {
        return paused && active() == 0 && count(ConnectionState.RESETTING) == 0;
    }

    /** Ready connections. */
    public int idle() {
        return count(ConnectionState.READY);
    }

    /** Connections that could not be opened, were lost, or failed a check or reset. */
    public long errors() {
        long errors = traffic.validationFailures() + traffic.resetFailures();
        for (long failures : openFailures.values()) {
            errors += failures;
        }
        return errors + closed.getOrDefault(CloseReason.LOST, 0L);
    }

    public long refusals() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The health of the server.
     *
     * @param reason why it is not up; empty while it is
     * @param since when this state began
     * @param failures in a row
     * @param downs how often it went down
     * @param latencyNanos duration of the latest login or check; negative before the first
     */
    public record HealthSnapshot(
            HealthState state,
            String reason,
            long since,
            int failures,
            long downs,
            long checksPassed,
            long checksFailed,
            long latencyNanos) {}

    /**
     * Whether the server has room for another connection.
     *
     * @param full it had none for the latest opening, and a request is waiting, or it was found full within the last minute
     * @param reason the server's message when it was last full; empty if it never was
     * @param since when it became full; undefined while it is not
     * @param failures openings that it had no room for
     * @param times how often it became full
     * @param retryAt when it is tried again; undefined while it is not full
     */
    public record RoomSnapshot(boolean full, String reason, long since, long failures, long times, long retryAt) {}

    /**
     * The account with the lease store.
     *
     * @param held slots this instance has
     * @param asked asked for and not answered
     * @param inLine asked for and waiting in the fleet's line
     * @param owed demanded by the fleet, to be given back with the next releases
     * @param revoked revoked, and still used by a connection
     */
    public record SlotsSnapshot(int held, int asked, int inLine, int owed, int revoked, long totalDemanded) {}

    /**
     * A pool.
     *
     * @param key the carrier's key for it
     * @param live connections that are logged in
     */
    public record PoolSnapshot(
            Object key,
            String login,
            int live,
            int active,
            int idle,
            int coming,
            int waiting,
            TrafficSnapshot traffic) {}

    /**
     * A connection.
     *
     * @param pinReason why its client keeps it; null if it does not
     * @param pinnedSince when that began; 0 if it did not
     * @param handoutUntil from this time on no client gets it; {@link Long#MAX_VALUE} while that is not known
     * @param heardAt when the server last answered on it
     * @param leaves it is too old, or is being replaced or removed: it closes as soon as no client has it
     */
    public record ConnectionSnapshot(
            long id,
            String login,
            ConnectionState state,
            @Nullable PinReason pinReason,
            long pinnedSince,
            long createdAt,
            long handoutUntil,
            long lastUsedAt,
            long heardAt,
            long uses,
            long queries,
            long bytesSent,
            long bytesReceived,
            boolean leaves) {}
}
