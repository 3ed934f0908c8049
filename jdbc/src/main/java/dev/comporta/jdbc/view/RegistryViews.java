package dev.comporta.jdbc.view;

import dev.comporta.console.table.View;
import dev.comporta.console.table.ViewColumns;
import dev.comporta.jdbc.stats.ServerStatistics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The views of a registry in SQL. The proxy has views of the same names, with more columns after these. */
public final class RegistryViews {
    private record UserRow(ServerStatistics server, ServerStatistics.UserPool user) {}

    private record ConnectionRow(ServerStatistics server, ServerStatistics.Connection connection) {}

    private final Supplier<List<ServerStatistics>> servers;
    private final InstantSource clock = InstantSource.system();

    /** @param servers the source of the statistics, called when a view is read */
    public RegistryViews(Supplier<List<ServerStatistics>> servers) {
        this.servers = servers;
    }

    public List<View> all() {
        return List.of(pools(), users(), connections(), servers());
    }

    private View pools() {
        return new ViewColumns<ServerStatistics>()
                .text("server_name", "The server.", ServerStatistics::server)
                .text("db_type", "Its kind, by its URL.", ServerStatistics::dbType)
                .bit("healthy", "Whether it is up.", ServerStatistics::healthy)
                .integer("total_conns", "Connections in any state.", ServerStatistics::total)
                .integer("active", "Connections on loan.", ServerStatistics::active)
                .integer("idle", "Connections ready to be lent.", ServerStatistics::idle)
                .integer("waiting", "Requests in the queue.", ServerStatistics::pending)
                .bigint("acquires", "Loans.", ServerStatistics::acquires)
                .bigint("timeouts", "Requests that timed out.", ServerStatistics::timeouts)
                .view("remote_pool_stats", "POOLS", "One row for each server: its connections.", servers);
    }

    private View servers() {
        return new ViewColumns<ServerStatistics>()
                .text("server_name", "The server.", ServerStatistics::server)
                .text("db_type", "Its kind, by its URL.", ServerStatistics::dbType)
                .text("url", "Its JDBC URL, without secrets.", ServerStatistics::url)
                .bit("healthy", "Whether it is up.", ServerStatistics::healthy)
                .text("unhealthy_reason", "Why it is down; NULL while it is up.", ServerStatistics::unhealthyReason)
                .bit("paused", "Whether PAUSE holds its requests.", ServerStatistics::paused)
                .integer("max_connections", "The limit.", ServerStatistics::max)
                .integer(
                        "total_user_pools",
                        "Pools: local users that it has served.",
                        row -> row.users().size())
                .bigint("total_releases", "Loans that have ended.", ServerStatistics::releases)
                .bigint(
                        "connection_errors",
                        "Connections that could not be opened, were lost, or failed a check or reset.",
                        ServerStatistics::errors)
                .bigintOrNull("queries_executed", "NULL without collect_query_stats.", ServerStatistics::queries)
                .decimal("avg_acquire_time_ms", "Mean wait for a connection.", ServerStatistics::averageAcquireMillis)
                .decimalOrNull(
                        "avg_query_time_ms",
                        "Mean time of a query; NULL without collect_query_stats.",
                        ServerStatistics::averageQueryMillis)
                .time("created_at", "When it was registered.", row -> ago(row.age()))
                .time(
                        "last_activity",
                        "The latest request or return; NULL before the first.",
                        row -> row.used() ? ago(row.idleFor()) : null)
                .view("remote_servers", "SERVERS", "One row for each server: kind, health and counters.", servers);
    }

    private View users() {
        return new ViewColumns<UserRow>()
                .text("server_name", "The server.", row -> row.server().server())
                .text("local_user", "The local user.", row -> row.user().localUser())
                .integer(
                        "total_connections",
                        "Connections that are logged in.",
                        row -> row.user().total())
                .integer(
                        "active_connections",
                        "Logged-in connections that are on loan.",
                        row -> row.user().active())
                .integer(
                        "idle_connections",
                        "Logged-in connections that are ready to be lent.",
                        row -> row.user().idle())
                .integer(
                        "waiting_requests",
                        "Requests in the queue.",
                        row -> row.user().waiting())
                .bigint("total_acquires", "Loans.", row -> row.user().acquires())
                .bigint(
                        "total_releases",
                        "Loans that have ended.",
                        row -> row.user().releases())
                .bigint(
                        "connections_created",
                        "Connections opened.",
                        row -> row.user().created())
                .bigint(
                        "connections_destroyed",
                        "Connections closed.",
                        row -> row.user().destroyed())
                .bigint(
                        "acquire_timeouts",
                        "Requests that timed out.",
                        row -> row.user().timeouts())
                .bigint(
                        "validation_failures",
                        "Connections that failed a check.",
                        row -> row.user().validationFailures())
                .decimal(
                        "avg_connection_lifetime_sec",
                        "Mean life of closed connections.",
                        row -> row.user().averageLifetimeSeconds())
                .decimal(
                        "avg_acquire_wait_ms",
                        "Mean wait for a connection.",
                        row -> row.user().averageAcquireMillis())
                .view("remote_user_pool_stats", "USERS", "One row for each server and local user.", this::userRows);
    }

    private List<UserRow> userRows() {
        List<UserRow> rows = new ArrayList<>();
        servers.get().forEach(server -> server.users().forEach(user -> rows.add(new UserRow(server, user))));
        return rows;
    }

    private View connections() {
        return new ViewColumns<ConnectionRow>()
                .bigint(
                        "connection_id",
                        "Its number at its server.",
                        row -> row.connection().id())
                .text("server_name", "The server.", row -> row.server().server())
                .text("local_user", "The local user.", row -> row.connection().localUser())
                .text(
                        "state",
                        "What it is doing.",
                        row -> row.connection().state().word())
                .time(
                        "created_at",
                        "When it was opened.",
                        row -> ago(row.connection().age()))
                .time(
                        "last_used",
                        "When it was lent or returned last.",
                        row -> ago(row.connection().idleFor()))
                .time(
                        "last_validated",
                        "When the server last answered a login, a check or a reset on it; NULL before the first.",
                        row -> ago(row.connection().heardAgo()))
                .time("expires_at", "When it becomes too old to be lent; NULL before that is set.", row -> {
                    Duration left = row.connection().lendableFor();
                    return left == null ? null : clock.instant().plus(left);
                })
                .bigint(
                        "use_count",
                        "How often it was lent.",
                        row -> row.connection().loans())
                .bigintOrNull(
                        "query_count",
                        "Queries on it; NULL without collect_query_stats.",
                        row -> row.connection().queries())
                .bit(
                        "marked_for_eviction",
                        "Whether it closes when it is returned: lost, too old, or being replaced.",
                        row -> row.connection().leaves())
                .view("remote_connections", "CONNECTIONS", "One row for each connection.", this::connectionRows);
    }

    private List<ConnectionRow> connectionRows() {
        List<ConnectionRow> rows = new ArrayList<>();
        servers.get()
                .forEach(server ->
                        server.connections().forEach(connection -> rows.add(new ConnectionRow(server, connection))));
        return rows;
    }

    private @Nullable Instant ago(@Nullable Duration time) {
        return time == null ? null : clock.instant().minus(time);
    }
}
