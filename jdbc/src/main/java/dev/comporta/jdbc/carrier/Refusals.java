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

/** What a client is told that gets no connection: how things stand, and what to do. */
final class Refusals {
    /** Of SQL: the connection could not be established. */
    private static final String STATE = "08001";

    private Refusals() {}

    static SQLException exception(String name, Object why, Account account, BucketSnapshot now, long waitedNanos) {
        SQLException cause = account.lastFailure();
        if (why instanceof WaitEnd end) {
            return switch (end) {
                case TIMEOUT -> transientFailure(name, timeout(now, waitedNanos), cause);
                case INTERRUPTED ->
                    transientFailure(name, "interrupted while it waited for a connection", new InterruptedException());
            };
        }
        return switch ((Refusal) why) {
            case POOL_EXHAUSTED ->
                transientFailure(
                        name,
                        inUse(now) + ", and exhaustionPolicy is fail_fast: raise maximumPoolSize, or wait",
                        cause);
            case QUEUE_FULL ->
                transientFailure(
                        name,
                        inUse(now) + ": no more may wait. Raise maximumPoolSize, or maxQueueSize for a longer queue",
                        cause);
            case QUEUE_TIMEOUT -> transientFailure(name, timeout(now, waitedNanos), cause);
            case SERVER_UNAVAILABLE -> transientFailure(name, "the server is down: " + reason(now, cause), cause);
            case LOGIN_REJECTED, LOGIN_FAILED -> rejected(name, account, cause);
            case REMOVED ->
                new SQLNonTransientConnectionException(
                        "pool " + name + ": closed. Get connections from a pool that is open", STATE);
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

    private static String timeout(BucketSnapshot now, long waitedNanos) {
        String waited = "no connection within " + seconds(waitedNanos) + ": ";
        if (now.health().state() != HealthState.UP) {
            return waited + "the server is down since "
                    + seconds(now.takenAt() - now.health().since()) + " ("
                    + now.health().reason() + ")";
        }
        if (now.paused()) {
            return waited + "the pool is suspended, resume it";
        }
        if (now.active() < now.limit() && now.slots().inLine() + now.slots().asked() == 0) {
            return waited + inUse(now) + "; connections could not be opened fast enough: see the cause, connectRate and"
                    + " connectTimeout";
        }
        return waited + inUse(now)
                + ". Raise maximumPoolSize, or look for clients that keep connections for long (leakDetectionThreshold)";
    }

    private static String inUse(BucketSnapshot now) {
        return now.active() + " of " + now.limit() + " connections in use, " + now.waiting() + " waiting";
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
