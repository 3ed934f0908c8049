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
import dev.comporta.pool.stats.TrafficSnapshot;
import dev.comporta.proxy.loop.BucketLoop.Glance;
import dev.comporta.proxy.loop.PoolProfile;
import dev.comporta.proxy.prepared.PreparedSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code sys.remote_pool_stats} and {@code sys.remote_user_pool_stats}: buckets and their pools, in numbers. */
record PoolViews(Sightings sightings, Supplier<List<LeaseView>> leases, Recent recent) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private record BucketRow(String id, Glance glance, boolean fallback, RecentFigures recent) {
        BucketSnapshot pool() {
            return glance.pool();
        }

        TrafficSnapshot traffic() {
            return pool().traffic();
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

    View buckets() {
        ViewColumns<BucketRow> columns = new ViewColumns<>();
        columns.text("server_name", "The bucket's id.", BucketRow::id)
                .text("db_type", "Always mssql.", _ -> "mssql")
                .bit("healthy", "Whether the bucket accepts work.", row -> health(row) == null)
                .integer("total_conns", "Server connections in any state.", PoolViews::total);
        columns.of(BucketRow::pool)
                .integer("active", "Server connections in use.", BucketSnapshot::active)
                .integer("idle", "Server connections ready for use.", BucketSnapshot::idle)
                .integer("waiting", "Requests in the queue.", BucketSnapshot::waiting);
        columns.of(BucketRow::traffic)
                .bigint("acquires", "Times that a client was given a server connection.", TrafficSnapshot::attached)
                .bigint("timeouts", "Requests that timed out after queue_timeout.", TrafficSnapshot::timeouts);
        columns.text("unhealthy_reason", "Why the bucket is down; NULL while it is up.", PoolViews::health)
                .integer(
                        "user_pools",
                        "Pools: logins and login profiles.",
                        row -> row.pool().pools().size())
                .integer(
                        "clients",
                        "Clients that are logged in.",
                        row -> row.glance().clients())
                .integer("opening", "Server connections being opened.", PoolViews::opening)
                .integer("pinned", "Server connections kept by a pin.", row -> row.count(ConnectionState.PINNED));
        columns.of(BucketRow::pool)
                .bit("paused", "Whether PAUSE holds its requests.", BucketSnapshot::paused)
                .text(
                        "full_reason",
                        "What the server said when it had no room for a connection; NULL while it has room.",
                        pool -> pool.room().full() ? pool.room().reason() : null)
                .integer("max_connections", "The limit over all instances.", BucketSnapshot::limit)
                .integer(
                        "slots_held",
                        "Slots that this instance holds.",
                        pool -> pool.slots().held());
        columns.bit(
                "slots_fallback",
                "Whether the limit is this instance's share, because the store can't be reached.",
                BucketRow::fallback);
        columns.of(BucketRow::traffic)
                .bigint("releases", "Times that a client gave its server connection back.", TrafficSnapshot::released);
        columns.of(BucketRow::pool)
                .bigint("refused", "Requests and logins refused by the pool.", BucketSnapshot::refusals)
                .bigint(
                        "connection_errors",
                        "Server connections that could not be opened, were lost, or failed a check or reset.",
                        BucketSnapshot::errors);
        columns.of(BucketRow::traffic)
                .bigint("queries_executed", "Requests that the server has answered.", TrafficSnapshot::queries)
                .bigint("resets", "Resets that took a message of their own.", TrafficSnapshot::resets)
                .bigint("bytes_sent", "Bytes to the server.", TrafficSnapshot::bytesSent)
                .bigint("bytes_received", "Bytes from the server.", TrafficSnapshot::bytesReceived)
                .decimal("avg_acquire_time_ms", "Mean wait for a server connection.", PoolViews::meanWait)
                .decimal(
                        "avg_query_time_ms",
                        "Mean time from request to the end of its response.",
                        sums -> mean(sums.queryNanos(), sums.queries(), NANOS_PER_MILLI));
        columns.of(BucketRow::recent)
                .decimal(
                        "requests_per_second",
                        "Requests that the server has answered, a second, over the last ten seconds.",
                        RecentFigures::requestsPerSecond)
                .decimalMillis(
                        "wait_p50_ms",
                        "Half of the requests of the last minute waited no longer for a server connection.",
                        RecentFigures::waitP50)
                .decimalMillis(
                        "wait_p99_ms",
                        "99 of 100 requests of the last minute waited no longer for a server connection.",
                        RecentFigures::waitP99)
                .decimalMillis(
                        "query_p99_ms",
                        "99 of 100 requests of the last minute were answered within this time.",
                        RecentFigures::queryP99);
        columns.millis("longest_pin_ms", "Age of the oldest pin; NULL without one.", row -> longestPin(row, null))
                .millis(
                        "longest_transaction_ms",
                        "Age of the oldest pin by a transaction; NULL without one.",
                        row -> longestPin(row, PinReason.TRANSACTION));
        columns.of(row -> row.glance().prepared())
                .integer("prepared_texts", "Different prepared statements of its clients.", PreparedSnapshot::texts)
                .bigint("prepared_bytes", "Memory that their texts take.", PreparedSnapshot::bytes)
                .bigint(
                        "prepared_hits",
                        "Executions whose server connection had the statement.",
                        PreparedSnapshot::hits)
                .bigint(
                        "prepared_as_text",
                        "Executions sent with the statement's text, because their server connection lacked it.",
                        PreparedSnapshot::asText)
                .bigint(
                        "prepared_again",
                        "Statements prepared again on another server connection.",
                        PreparedSnapshot::preparedAgain);
        columns.time(
                        "created_at",
                        "When the bucket was added to this instance.",
                        row -> row.glance().instant(row.pool().createdAt()))
                .time(
                        "last_activity",
                        "The latest request or release; NULL before the first.",
                        PoolViews::lastActivity);
        return columns.view("remote_pool_stats", "POOLS", "One row for each bucket.", this::bucketRows);
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

    /** Leaves out connections that wait for a slot: they are not being opened yet. */
    private static int total(BucketRow row) {
        return row.pool().active()
                + row.pool().idle()
                + opening(row)
                + row.count(ConnectionState.RESETTING, ConnectionState.VALIDATING, ConnectionState.CLOSING);
    }

    /** @param reason only pins for this reason; null for any */
    private static @Nullable Duration longestPin(BucketRow row, @Nullable PinReason reason) {
        return row.pool().connections().stream()
                .filter(connection ->
                        reason == null ? connection.pinReason() != null : connection.pinReason() == reason)
                .map(connection -> Duration.ofNanos(row.glance().now() - connection.pinnedSince()))
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    private static @Nullable Instant lastActivity(BucketRow row) {
        boolean never = row.traffic().attached() == 0 && row.pool().waiting() == 0;
        return never ? null : row.glance().instant(row.pool().lastActivityAt());
    }

    private static double meanWait(TrafficSnapshot traffic) {
        return mean(traffic.waitNanos(), traffic.attached(), NANOS_PER_MILLI);
    }

    private static double mean(long nanos, long count, double unit) {
        return count == 0 ? 0 : nanos / unit / count;
    }

    View users() {
        ViewColumns<PoolRow> columns = new ViewColumns<>();
        columns.text("server_name", "The bucket's id.", PoolRow::bucket);
        columns.of(PoolRow::pool)
                .text("local_user", "The login.", PoolSnapshot::login)
                .text(
                        "profile",
                        "The login profile: only clients with the same one share connections.",
                        pool -> PoolProfile.of(pool.key()))
                .integer("total_connections", "Its server connections that are logged in.", PoolSnapshot::live)
                .integer("active_connections", "Of those, in use.", PoolSnapshot::active)
                .integer("idle_connections", "Of those, ready for use.", PoolSnapshot::idle)
                .integer("waiting_requests", "Its requests in the queue.", PoolSnapshot::waiting);
        columns.of(row -> row.pool().traffic())
                .bigint(
                        "total_acquires",
                        "Times that a client was given a server connection.",
                        TrafficSnapshot::attached)
                .bigint("total_releases", "Times that a client gave it back.", TrafficSnapshot::released)
                .bigint("connections_created", "Server connections opened.", TrafficSnapshot::opened)
                .bigint("connections_destroyed", "Server connections closed.", TrafficSnapshot::closed)
                .bigint("acquire_timeouts", "Requests that timed out.", TrafficSnapshot::timeouts)
                .bigint(
                        "validation_failures",
                        "Server connections that failed a check.",
                        TrafficSnapshot::validationFailures)
                .decimal(
                        "avg_connection_lifetime_sec",
                        "Mean life of closed server connections, in seconds.",
                        sums -> mean(sums.lifeNanos(), sums.closed(), NANOS_PER_SECOND))
                .decimal("avg_acquire_wait_ms", "Mean wait for a server connection.", PoolViews::meanWait);
        return columns.view("remote_user_pool_stats", "USERS", "One row for each pool.", this::poolRows);
    }

    private List<PoolRow> poolRows() {
        List<PoolRow> rows = new ArrayList<>();
        sightings
                .glances()
                .forEach((id, glance) -> glance.pool().pools().forEach(pool -> rows.add(new PoolRow(id, pool))));
        return rows;
    }
}
