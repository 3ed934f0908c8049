package dev.comporta.app.console;

import dev.comporta.app.recent.Recent;
import dev.comporta.app.recent.RecentFigures;
import dev.comporta.console.table.View;
import dev.comporta.console.table.ViewColumns;
import dev.comporta.lease.LeaseView;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.BucketSnapshot.PoolSnapshot;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import dev.comporta.proxy.loop.PoolProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code sys.remote_pool_stats} and {@code sys.remote_user_pool_stats}: buckets and their pools, in numbers. */
final class PoolViews {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private record BucketRow(String id, Glance glance, boolean fallback, RecentFigures recent) {
        BucketSnapshot pool() {
            return glance.pool();
        }

        int count(ConnectionState... states) {
            int sum = 0;
            for (ConnectionState state : states) {
                sum += pool().count(state);
            }
            return sum;
        }
    }

    private record PoolRow(String bucket, PoolSnapshot pool) {}

    private final Sightings sightings;
    private final Supplier<List<LeaseView>> leases;
    private final Recent recent;

    PoolViews(Sightings sightings, Supplier<List<LeaseView>> leases, Recent recent) {
        this.sightings = sightings;
        this.leases = leases;
        this.recent = recent;
    }

    View buckets() {
        return new ViewColumns<BucketRow>()
                .text("server_name", "The bucket's id.", BucketRow::id)
                .text("db_type", "Always mssql.", _ -> "mssql")
                .bit("healthy", "Whether the bucket accepts work.", row -> health(row) == null)
                .integer("total_conns", "Server connections in any state.", PoolViews::total)
                .integer(
                        "active",
                        "Server connections in use.",
                        row -> row.pool().active())
                .integer(
                        "idle",
                        "Server connections ready for use.",
                        row -> row.pool().idle())
                .integer("waiting", "Requests in the queue.", row -> row.pool().waiting())
                .bigint(
                        "acquires",
                        "Times that a client was given a server connection.",
                        row -> row.pool().traffic().attached())
                .bigint(
                        "timeouts",
                        "Requests that waited for queue_timeout in vain.",
                        row -> row.pool().traffic().timeouts())
                .text("unhealthy_reason", "Why the bucket is down; NULL while it is up.", PoolViews::health)
                .integer(
                        "user_pools",
                        "Pools: logins and login profiles.",
                        row -> row.pool().pools().size())
                .integer(
                        "clients",
                        "Clients that are logged in.",
                        row -> row.glance().clients())
                .integer("opening", "Server connections being opened.", PoolViews::opening)
                .integer("pinned", "Server connections kept by a pin.", row -> row.count(ConnectionState.PINNED))
                .bit(
                        "paused",
                        "Whether PAUSE holds its requests.",
                        row -> row.pool().paused())
                .text(
                        "full_reason",
                        "What the server said when it had no room for a connection; NULL while it has room.",
                        row -> row.pool().room().full() ? row.pool().room().reason() : null)
                .integer(
                        "max_connections",
                        "The limit over all instances.",
                        row -> row.pool().limit())
                .integer(
                        "slots_held",
                        "Slots that this instance holds.",
                        row -> row.pool().slots().held())
                .bit(
                        "slots_fallback",
                        "Whether the limit is this instance's share, because the store can't be reached.",
                        BucketRow::fallback)
                .bigint(
                        "releases",
                        "Times that a client gave its server connection back.",
                        row -> row.pool().traffic().released())
                .bigint(
                        "refused",
                        "Requests and logins refused by the pool.",
                        row -> row.pool().refusals())
                .bigint(
                        "connection_errors",
                        "Server connections that could not be opened, were lost, or failed a check or reset.",
                        row -> row.pool().errors())
                .bigint(
                        "queries_executed",
                        "Requests that the server has answered.",
                        row -> row.pool().traffic().queries())
                .bigint(
                        "resets",
                        "Resets that took a message of their own.",
                        row -> row.pool().traffic().resets())
                .bigint(
                        "bytes_sent",
                        "Bytes to the server.",
                        row -> row.pool().traffic().bytesSent())
                .bigint(
                        "bytes_received",
                        "Bytes from the server.",
                        row -> row.pool().traffic().bytesReceived())
                .decimal(
                        "avg_acquire_time_ms",
                        "Mean wait for a server connection.",
                        row -> mean(
                                row.pool().traffic().waitNanos(),
                                row.pool().traffic().attached(),
                                NANOS_PER_MILLI))
                .decimal(
                        "avg_query_time_ms",
                        "Mean time from request to the end of its response.",
                        row -> mean(
                                row.pool().traffic().queryNanos(),
                                row.pool().traffic().queries(),
                                NANOS_PER_MILLI))
                .decimal(
                        "requests_per_second",
                        "Requests that the server has answered, a second, over the last ten seconds.",
                        row -> row.recent().requestsPerSecond())
                .decimalMillis(
                        "wait_p50_ms",
                        "Half of the requests of the last minute waited no longer for a server connection.",
                        row -> row.recent().waitP50())
                .decimalMillis(
                        "wait_p99_ms",
                        "99 of 100 requests of the last minute waited no longer for a server connection.",
                        row -> row.recent().waitP99())
                .decimalMillis(
                        "query_p99_ms",
                        "99 of 100 requests of the last minute were answered within this time.",
                        row -> row.recent().queryP99())
                .millis("longest_pin_ms", "Age of the oldest pin; NULL without one.", row -> longestPin(row, null))
                .millis(
                        "longest_transaction_ms",
                        "Age of the oldest pin by a transaction; NULL without one.",
                        row -> longestPin(row, PinReason.TRANSACTION))
                .integer(
                        "prepared_texts",
                        "Different prepared statements of its clients.",
                        row -> row.glance().prepared().texts())
                .bigint(
                        "prepared_bytes",
                        "Memory that their texts take.",
                        row -> row.glance().prepared().bytes())
                .bigint(
                        "prepared_hits",
                        "Executions whose server connection had the statement.",
                        row -> row.glance().prepared().hits())
                .bigint(
                        "prepared_as_text",
                        "Executions sent with the statement's text, because their server connection lacked it.",
                        row -> row.glance().prepared().asText())
                .bigint(
                        "prepared_again",
                        "Statements prepared again on another server connection.",
                        row -> row.glance().prepared().preparedAgain())
                .time(
                        "created_at",
                        "When the bucket was added to this instance.",
                        row -> row.glance().instant(row.pool().createdAt()))
                .time(
                        "last_activity",
                        "The latest request or release; NULL before the first.",
                        row -> row.pool().traffic().attached() == 0
                                        && row.pool().waiting() == 0
                                ? null
                                : row.glance().instant(row.pool().lastActivityAt()))
                .view("remote_pool_stats", "POOLS", "One row for each bucket.", this::bucketRows);
    }

    private List<BucketRow> bucketRows() {
        List<String> fallback = leases.get().stream()
                .filter(lease -> lease.standing() == LeaseView.Standing.FALLBACK)
                .map(LeaseView::bucket)
                .toList();
        List<BucketRow> rows = new ArrayList<>();
        sightings
                .glances()
                .forEach((id, glance) ->
                        rows.add(new BucketRow(id, glance, fallback.contains(id), recent.figures(id, glance))));
        return rows;
    }

    private static @Nullable String health(BucketRow row) {
        return row.pool().health().state() == HealthState.UP
                ? null
                : row.pool().health().reason();
    }

    private static int opening(BucketRow row) {
        return row.count(ConnectionState.RATE_LIMITED, ConnectionState.CONNECTING, ConnectionState.LOGGING_IN);
    }

    /** One that is only wanted, and has no slot, is no connection yet. */
    private static int total(BucketRow row) {
        return row.pool().active()
                + row.pool().idle()
                + opening(row)
                + row.count(ConnectionState.RESETTING, ConnectionState.VALIDATING, ConnectionState.CLOSING);
    }

    /** Only those for this reason; null for any. */
    private static @Nullable Duration longestPin(BucketRow row, @Nullable PinReason reason) {
        return row.pool().connections().stream()
                .filter(connection ->
                        reason == null ? connection.pinReason() != null : connection.pinReason() == reason)
                .map(connection -> Duration.ofNanos(row.glance().now() - connection.pinnedSince()))
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    private static double mean(long nanos, long count, double unit) {
        return count == 0 ? 0 : nanos / unit / count;
    }

    View users() {
        return new ViewColumns<PoolRow>()
                .text("server_name", "The bucket's id.", PoolRow::bucket)
                .text("local_user", "The login.", row -> row.pool().login())
                .text(
                        "profile",
                        "What its clients agreed on at login: only those with the same share.",
                        row -> PoolProfile.of(row.pool().key()))
                .integer(
                        "total_connections",
                        "Its server connections that are logged in.",
                        row -> row.pool().live())
                .integer(
                        "active_connections",
                        "Of those, in use.",
                        row -> row.pool().active())
                .integer(
                        "idle_connections",
                        "Of those, ready for use.",
                        row -> row.pool().idle())
                .integer(
                        "waiting_requests",
                        "Its requests in the queue.",
                        row -> row.pool().waiting())
                .bigint(
                        "total_acquires",
                        "Times that a client was given a server connection.",
                        row -> row.pool().traffic().attached())
                .bigint(
                        "total_releases",
                        "Times that a client gave it back.",
                        row -> row.pool().traffic().released())
                .bigint(
                        "connections_created",
                        "Server connections opened.",
                        row -> row.pool().traffic().opened())
                .bigint(
                        "connections_destroyed",
                        "Server connections closed.",
                        row -> row.pool().traffic().closed())
                .bigint(
                        "acquire_timeouts",
                        "Requests that waited in vain.",
                        row -> row.pool().traffic().timeouts())
                .bigint(
                        "validation_failures",
                        "Server connections that failed a check.",
                        row -> row.pool().traffic().validationFailures())
                .decimal(
                        "avg_connection_lifetime_sec",
                        "Mean life of closed server connections, in seconds.",
                        row -> mean(
                                row.pool().traffic().lifeNanos(),
                                row.pool().traffic().closed(),
                                NANOS_PER_SECOND))
                .decimal(
                        "avg_acquire_wait_ms",
                        "Mean wait for a server connection.",
                        row -> mean(
                                row.pool().traffic().waitNanos(),
                                row.pool().traffic().attached(),
                                NANOS_PER_MILLI))
                .view("remote_user_pool_stats", "USERS", "One row for each pool.", this::poolRows);
    }

    private List<PoolRow> poolRows() {
        List<PoolRow> rows = new ArrayList<>();
        sightings
                .glances()
                .forEach((id, glance) -> glance.pool().pools().forEach(pool -> rows.add(new PoolRow(id, pool))));
        return rows;
    }
}
