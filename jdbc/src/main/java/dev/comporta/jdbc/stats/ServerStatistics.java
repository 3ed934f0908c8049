package dev.comporta.jdbc.stats;

import dev.comporta.jdbc.carrier.Account;
import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A server of the registry at one moment. Counts are since it was registered.
 *
 * @param dbType the dialect
 * @param unhealthyReason empty while it is healthy
 * @param pending requests in the queue
 * @param age since it was registered
 * @param idleFor since the latest request or return
 */
public record ServerStatistics(
        String server,
        String dbType,
        boolean healthy,
        String unhealthyReason,
        int max,
        int total,
        int active,
        int idle,
        int pending,
        long acquires,
        long releases,
        long timeouts,
        long errors,
        double averageAcquireMillis,
        Duration age,
        Duration idleFor,
        List<UserPool> users) {
    /** The pool of one local user. */
    public record UserPool(
            String localUser,
            int total,
            int active,
            int idle,
            int waiting,
            long acquires,
            long releases,
            long created,
            long destroyed,
            long validationFailures,
            double averageLifetimeSeconds,
            double averageAcquireMillis) {
        private static UserPool of(BucketSnapshot.PoolSnapshot pool) {
            long parkedLoans = pool.key() instanceof Account account ? account.parkedLoans() : 0;
            return new UserPool(
                    pool.login(),
                    pool.live(),
                    pool.active(),
                    pool.idle(),
                    pool.waiting(),
                    pool.traffic().attached() + parkedLoans,
                    pool.traffic().released() + parkedLoans,
                    pool.traffic().opened(),
                    pool.traffic().closed(),
                    pool.traffic().validationFailures(),
                    pool.traffic().averageLifeSeconds(),
                    pool.traffic().averageWaitMillis());
        }
    }

    public static ServerStatistics of(BucketSnapshot now, String jdbcUrl, long timeouts, long parkedLoans) {
        return new ServerStatistics(
                now.id(),
                Dialect.of(jdbcUrl).name().toLowerCase(Locale.ROOT),
                now.health().state() == HealthState.UP,
                now.health().reason(),
                now.limit(),
                now.connectionsByState().values().stream()
                        .mapToInt(Long::intValue)
                        .sum(),
                now.active(),
                now.idle(),
                now.waiting(),
                now.traffic().attached() + parkedLoans,
                now.traffic().released() + parkedLoans,
                timeouts,
                now.errors(),
                now.traffic().averageWaitMillis(),
                Duration.ofNanos(now.takenAt() - now.createdAt()),
                Duration.ofNanos(now.takenAt() - now.lastActivityAt()),
                now.pools().stream().map(UserPool::of).toList());
    }
}
