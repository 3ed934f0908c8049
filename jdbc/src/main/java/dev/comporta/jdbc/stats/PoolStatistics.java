package dev.comporta.jdbc.stats;

import dev.comporta.pool.state.CloseReason;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.OpenFailure;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.HistogramSnapshot;
import java.util.Map;

/**
 * A pool at one moment. Counts are since it was started.
 *
 * @param total open connections in any state, those being opened included
 * @param idle ready connections
 * @param waiting requests in the queue
 * @param unhealthyReason empty while the server is up
 * @param acquiredAtOnce of the acquires, those that did not wait
 * @param usageNanos how long all loans together have lasted, those under way excepted
 * @param waitTime of the requests that the core has served; others did not wait
 * @param timeouts requests whose caller's time was up
 * @param full openings that the server turned away because it had as many connections as it takes
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
        int waiting,
        long acquires,
        long acquiredAtOnce,
        long releases,
        long timeouts,
        long refusals,
        long opened,
        Map<CloseReason, Long> closed,
        long errors,
        long full,
        long validations,
        long validationFailures,
        long resets,
        long resetFailures,
        HistogramSnapshot waitTime,
        long usageNanos,
        HistogramSnapshot connectTime) {
    /** @param max in this process; the fleet may allow less */
    public static PoolStatistics of(
            BucketSnapshot now, int max, int min, long timeouts, long parkedLoans, long usageNanos) {
        return new PoolStatistics(
                now.id(),
                now.health().state() == HealthState.UP,
                now.health().reason(),
                Math.min(max, now.limit()),
                min,
                now.connectionsByState().values().stream()
                        .mapToInt(Long::intValue)
                        .sum(),
                now.active(),
                now.idle(),
                now.waiting(),
                now.traffic().attached() + parkedLoans,
                now.traffic().attachedAtOnce() + parkedLoans,
                now.traffic().released() + parkedLoans,
                timeouts,
                now.refusals(),
                now.traffic().opened(),
                now.closed(),
                now.errors(),
                now.openFailures().getOrDefault(OpenFailure.FULL, 0L),
                now.traffic().validations(),
                now.traffic().validationFailures(),
                now.traffic().resets(),
                now.traffic().resetFailures(),
                now.waitTime(),
                usageNanos,
                now.connectTime());
    }
}
