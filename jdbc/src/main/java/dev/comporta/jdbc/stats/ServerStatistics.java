package dev.comporta.jdbc.stats;

import dev.comporta.jdbc.carrier.Account;
import dev.comporta.jdbc.dialect.Dialect;
import dev.comporta.jdbc.session.SessionFigures;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server of the registry at one moment. Counts are since it was registered.
 *
 * @param dbType {@code postgresql}, {@code mysql} (also MariaDB), {@code mssql}, {@code firebird}, {@code h2} or {@code generic}
 * @param url without secrets
 * @param unhealthyReason empty while it is healthy
 * @param paused requests wait until it is resumed
 * @param pending requests in the queue
 * @param queries the number of queries; null, like their average time, if {@code collectQueryStats} is off
 * @param age the time since it was registered
 * @param idleFor the time since the latest request or return
 * @param used whether any client has asked for a connection yet
 */
public record ServerStatistics(
        String server,
        String dbType,
        String url,
        boolean healthy,
        String unhealthyReason,
        boolean paused,
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
        @Nullable Long queries,
        @Nullable Double averageQueryMillis,
        Duration age,
        Duration idleFor,
        boolean used,
        List<UserPool> users,
        List<Connection> connections) {
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
            long timeouts,
            long validationFailures,
            double averageLifetimeSeconds,
            double averageAcquireMillis) {
        private static UserPool of(BucketSnapshot.PoolSnapshot pool) {
            long parkedLoans = 0;
            long timeouts = 0;
            if (pool.key() instanceof Account account) {
                parkedLoans = account.parkedLoans();
                timeouts = account.timeouts();
            }
            long acquires = pool.traffic().attached() + parkedLoans;
            return new UserPool(
                    pool.login(),
                    pool.live(),
                    pool.active(),
                    pool.idle(),
                    pool.waiting(),
                    acquires,
                    pool.traffic().released() + parkedLoans,
                    pool.traffic().opened(),
                    pool.traffic().closed(),
                    timeouts,
                    pool.traffic().validationFailures(),
                    pool.traffic().averageLifeSeconds(),
                    averageMillis(pool.traffic().waitNanos(), acquires));
        }
    }

    /**
     * A connection of the server, open or being opened.
     *
     * @param id its number at this server
     * @param age the time since it was opened or, before that, since it was wanted
     * @param idleFor the time since it was lent or given back last
     * @param heardAgo the time since the server last answered a login, a check or a reset on it
     * @param lendableFor the time until it is too old to be lent; null if that is not known yet
     * @param queries null if they are not counted
     * @param leaves it closes when its client gives it back: it is lost, too old, or is being replaced
     */
    public record Connection(
            long id,
            String localUser,
            ConnectionState state,
            Duration age,
            Duration idleFor,
            @Nullable Duration heardAgo,
            @Nullable Duration lendableFor,
            long loans,
            @Nullable Long queries,
            boolean leaves) {
        private static Connection of(
                BucketSnapshot.ConnectionSnapshot c, long now, @Nullable SessionFigures session, boolean counts) {
            return new Connection(
                    c.id(),
                    c.login(),
                    c.state(),
                    Duration.ofNanos(now - c.createdAt()),
                    Duration.ofNanos(now - Math.max(c.lastUsedAt(), c.createdAt())),
                    session == null ? null : Duration.ofNanos(now - c.heardAt()),
                    c.handoutUntil() == Long.MAX_VALUE ? null : Duration.ofNanos(c.handoutUntil() - now),
                    session == null ? 0 : session.loans(),
                    counts ? (Long) (session == null ? 0 : session.queries()) : null,
                    c.leaves() || (session != null && session.lost()));
        }
    }

    /** @param url without secrets */
    public static ServerStatistics of(
            BucketSnapshot now, Dialect dialect, String url, PoolStatistics pool, Map<Long, SessionFigures> sessions) {
        boolean counts = pool.queryTime() != null;
        return new ServerStatistics(
                now.id(),
                dialect.type(),
                url,
                pool.healthy(),
                pool.unhealthyReason(),
                now.paused(),
                pool.max(),
                pool.total(),
                pool.active(),
                pool.idle(),
                pool.waiting(),
                pool.acquires(),
                pool.releases(),
                pool.timeouts(),
                pool.errors(),
                averageMillis(now.traffic().waitNanos(), pool.acquires()),
                pool.queryTime() == null ? null : pool.queryTime().count(),
                counts ? (Double) pool.averageQueryMillis() : null,
                Duration.ofNanos(now.takenAt() - now.createdAt()),
                Duration.ofNanos(now.takenAt() - now.lastActivityAt()),
                pool.acquires() + pool.waiting() + pool.timeouts() > 0,
                now.pools().stream().map(UserPool::of).toList(),
                now.connections().stream()
                        .map(c -> Connection.of(c, now.takenAt(), sessions.get(c.id()), counts))
                        .toList());
    }

    private static double averageMillis(long nanos, long count) {
        return count == 0 ? 0 : nanos / 1e6 / count;
    }
}
