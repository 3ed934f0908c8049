package dev.comporta.jdbc.stats;

import dev.comporta.jdbc.session.SessionFigures;
import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.HistogramSnapshot;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pool at one moment. Counts are since it was started.
 *
 * @param total open connections in any state, those being opened included
 * @param idle ready connections
 * @param failed connections that are lost and that their client has not given back yet
 * @param waiting requests in the queue
 * @param unhealthyReason empty while the server is up
 * @param acquiredAtOnce acquires that did not wait
 * @param foundNothingReady requests that had to wait, whether or not they were served
 * @param usageNanos the total time of all loans that have ended
 * @param waitTime the waiting times of the requests that the core has served; others did not wait
 * @param timeouts requests that timed out
 * @param openFailures connections that could not be opened
 * @param full openings that the server rejected because it had reached its connection limit
 * @param checksPassed health checks that passed: before a loan, after it, or while idle
 * @param queryTime how long queries took until the driver returned; null if {@code collectQueryStats} is off
 */
public record PoolStatistics(
        String name,
        boolean healthy,
        String unhealthyReason,
        int max,
        int min,
        int total,
        int active,
        int idle,
        int failed,
        int waiting,
        long acquires,
        long acquiredAtOnce,
        long foundNothingReady,
        long releases,
        long timeouts,
        long refusals,
        long opened,
        long openFailures,
        Map<CloseReason, Long> closed,
        long errors,
        long full,
        long validations,
        long validationFailures,
        long checksPassed,
        long checksFailed,
        long resets,
        long resetFailures,
        HistogramSnapshot waitTime,
        long usageNanos,
        HistogramSnapshot connectTime,
        @Nullable HistogramSnapshot queryTime) {
    /**
     * The values that the core does not know.
     *
     * @param max the limit in this process; the fleet may allow less
     */
    public record Beside(
            int max,
            int min,
            long timeouts,
            long parkedLoans,
            long usageNanos,
            Collection<SessionFigures> sessions,
            @Nullable HistogramSnapshot queryTime) {}

    public static PoolStatistics of(BucketSnapshot now, Beside beside) {
        return new PoolStatistics(
                now.id(),
                now.health().state() == HealthState.UP,
                now.health().reason(),
                Math.min(beside.max(), now.limit()),
                beside.min(),
                now.connectionsByState().values().stream()
                        .mapToInt(Long::intValue)
                        .sum(),
                now.active(),
                now.idle(),
                (int) beside.sessions().stream().filter(SessionFigures::lost).count(),
                now.waiting(),
                now.traffic().attached() + beside.parkedLoans(),
                now.traffic().attachedAtOnce() + beside.parkedLoans(),
                now.traffic().queued(),
                now.traffic().released() + beside.parkedLoans(),
                beside.timeouts(),
                now.refusals(),
                now.traffic().opened(),
                now.openFailures().values().stream().mapToLong(Long::longValue).sum(),
                now.closed(),
                now.errors(),
                now.openFailures().getOrDefault(OpenFailure.FULL, 0L),
                now.traffic().validations(),
                now.traffic().validationFailures(),
                now.health().checksPassed(),
                now.health().checksFailed(),
                now.traffic().resets(),
                now.traffic().resetFailures(),
                now.waitTime(),
                beside.usageNanos(),
                now.connectTime(),
                beside.queryTime());
    }

    /** Acquires without the core, because a connection was parked: they are not among the wait times. */
    public long acquiresWithoutCore() {
        return Math.max(0, acquires - waitTime.count());
    }

    /** 0 if no query was counted. */
    public double averageQueryMillis() {
        return queryTime == null ? 0 : queryTime.meanNanos() / 1e6;
    }
}
