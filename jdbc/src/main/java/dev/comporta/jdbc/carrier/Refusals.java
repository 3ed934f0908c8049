package dev.comporta.jdbc.carrier;

import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.BucketSnapshot;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The error for a client that gets no connection: the state of the pool, and what to do. */
final class Refusals {
    /** SQLSTATE for: the connection could not be established. */
    private static final String STATE = "08001";

    private Refusals() {}

    /** How much of a limit is in use: the login's own limit in this process, or the one that all logins share. */
    private record Use(int active, int limit, int waiting) {
        String inUse() {
            return active + " of " + limit + " connections in use, " + waiting + " waiting";
        }
    }

    private static Use use(Account account, int ofLogin, BucketSnapshot now) {
        for (BucketSnapshot.PoolSnapshot pool : now.pools()) {
            if (ofLogin > 0 && pool.key().equals(account) && pool.live() + pool.coming() >= ofLogin) {
                return new Use(pool.active(), ofLogin, pool.waiting());
            }
        }
        return new Use(now.active(), now.limit(), now.waiting());
    }

    /** @param ofLogin the account's own limit; 0 if it has none */
    static SQLException exception(
            String name, Object why, Account account, int ofLogin, BucketSnapshot now, long waitedNanos) {
        Use use = use(account, ofLogin, now);
        SQLException cause = account.lastFailure();
        if (why instanceof WaitEnd end) {
            return switch (end) {
                case TIMEOUT -> transientFailure(name, timeout(now, use, waitedNanos), cause);
                case INTERRUPTED ->
                    transientFailure(name, "interrupted while it waited for a connection", new InterruptedException());
            };
        }
        return switch ((Refusal) why) {
            case POOL_EXHAUSTED ->
                transientFailure(
                        name,
                        use.inUse() + ", and exhaustionPolicy is fail_fast: raise maximumPoolSize, or wait",
                        cause);
            case QUEUE_FULL ->
                transientFailure(
                        name,
                        use.inUse() + ": the queue is full (maxQueueSize). Raise maximumPoolSize or maxQueueSize",
                        cause);
            case QUEUE_TIMEOUT -> transientFailure(name, timeout(now, use, waitedNanos), cause);
            case SERVER_UNAVAILABLE -> transientFailure(name, "the server is down: " + reason(now, cause), cause);
            case LOGIN_REJECTED, LOGIN_FAILED -> rejected(name, account, cause);
            case REMOVED ->
                new SQLNonTransientConnectionException(
                        "pool " + name
                                + (account.isRetired()
                                        ? ": the login of " + account
                                                + " was changed or removed while the request waited. Retry"
                                        : ": closed. Get connections from a pool that is open"),
                        STATE);
        };
    }

    private static SQLException transientFailure(String name, String text, @Nullable Exception cause) {
        return new SQLTransientConnectionException("pool " + name + ": " + text, STATE, cause);
    }

    private static SQLException rejected(String name, Account account, @Nullable SQLException cause) {
        String state = cause == null || cause.getSQLState() == null ? STATE : cause.getSQLState();
        int code = cause == null ? 0 : cause.getErrorCode();
        String text = "pool " + name + ": the server rejects the login of " + account + ": "
                + (cause == null ? "no reason was given" : cause.getMessage())
                + ". Correct username, password, database or connectionInitSql";
        return state.startsWith("28")
                ? new SQLInvalidAuthorizationSpecException(text, state, code, cause)
                : new SQLNonTransientConnectionException(text, state, code, cause);
    }

    private static String timeout(BucketSnapshot now, Use use, long waitedNanos) {
        String waited = "no connection within " + seconds(waitedNanos) + ": ";
        if (now.health().state() != HealthState.UP) {
            return waited + "the server has been down for "
                    + seconds(now.takenAt() - now.health().since()) + " ("
                    + now.health().reason() + ")";
        }
        if (now.paused()) {
            return waited + "the pool is suspended, resume it";
        }
        if (use.active < use.limit && now.room().full()) {
            return waited + use.inUse() + "; the server has been full for "
                    + seconds(now.takenAt() - now.room().since()) + " ("
                    + now.room().reason()
                    + "). Have the server take more connections, or share a limit that it can take (leases)";
        }
        if (use.active < use.limit && now.slots().inLine() + now.slots().asked() == 0) {
            return waited + use.inUse()
                    + "; connections could not be opened fast enough: see the cause, connectRate and"
                    + " connectTimeout";
        }
        return waited + use.inUse()
                + ". Raise maximumPoolSize, or look for clients that keep connections for long (leakDetectionThreshold)";
    }

    private static String reason(BucketSnapshot now, @Nullable SQLException cause) {
        return !now.health().reason().isEmpty() || cause == null
                ? now.health().reason()
                : String.valueOf(cause.getMessage());
    }

    private static String seconds(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        return time.toMillis() < 10_000 ? time.toMillis() + " ms" : time.toSeconds() + " s";
    }
}
