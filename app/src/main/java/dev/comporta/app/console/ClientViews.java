package dev.comporta.app.console;

import dev.comporta.console.table.View;
import dev.comporta.console.table.ViewColumns;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.ClientIdentity;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.proxy.watch.ConnectionSnapshot;
import dev.comporta.proxy.watch.WaiterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** {@code sys.clients}, {@code waiters}, {@code pins} and {@code remote_connections}: the single clients and connections. */
final class ClientViews {
    private record ClientRow(BucketDetail in, ClientSnapshot client) {
        ClientIdentity identity() {
            return client.identity();
        }

        Instant at(ToLongFunction<ClientSnapshot> time) {
            return in.instant(time.applyAsLong(client));
        }

        Duration pinAge() {
            return in.since(client.pinnedSince());
        }
    }

    private record ConnectionRow(BucketDetail in, ConnectionSnapshot connection) {
        BucketSnapshot.ConnectionSnapshot pool() {
            return connection.pool();
        }
    }

    private record WaiterRow(BucketDetail in, WaiterSnapshot waiter, int place) {}

    private final Supplier<Collection<BucketDetail>> details;

    /** @param details called when a view is read */
    ClientViews(Supplier<Collection<BucketDetail>> details) {
        this.details = details;
    }

    View clients() {
        ViewColumns<ClientRow> columns = new ViewColumns<>();
        columns.of(ClientRow::client)
                .bigint("client_id", "Its number in this instance, for KILL.", ClientSnapshot::id)
                .text("address", "Its address and port.", ClientSnapshot::address);
        columns.of(ClientRow::identity)
                .text("login", "From its LOGIN7.", ClientIdentity::login)
                .text("database_name", "From its LOGIN7; NULL for the login's default.", ClientIdentity::database)
                .text("application", "From its LOGIN7.", ClientIdentity::application)
                .text("host_name", "From its LOGIN7.", ClientIdentity::hostName);
        columns.text("bucket", "The bucket it was routed to.", row -> row.in().bucket());
        columns.of(ClientRow::client)
                .text("state", "What it is doing.", ClientViews::state)
                .text("pool_mode", "How it uses server connections.", of -> lower(of.mode()))
                .text(
                        "pin_reason",
                        "Why it keeps its server connection; NULL when it does not.",
                        of -> reason(of.pinReason()));
        columns.millis(
                        "pin_age_ms",
                        "How long it has kept it for that reason; NULL when it does not.",
                        row -> row.client().pinReason() == null ? null : row.pinAge())
                .number(
                        "connection_id",
                        "Its server connection; NULL without one.",
                        row -> row.client().connectionId());
        columns.of(ClientRow::identity)
                .bit("encrypted", "Whether it is encrypted after the login too.", ClientIdentity::encrypted)
                .text("tds_version", "Such as 7.4.", of -> of.version().number());
        columns.time("connected_at", "When it logged in.", row -> row.at(ClientSnapshot::connectedAt))
                .time(
                        "last_request",
                        "The end of its last answer or, while the server works, when the request was sent.",
                        row -> row.client().lastRequestAt() < 0 ? null : row.at(ClientSnapshot::lastRequestAt));
        columns.of(ClientRow::client)
                .bigint("requests", "Requests that it has sent.", ClientSnapshot::requests)
                .bigint("bytes_received", "Bytes from it.", ClientSnapshot::bytesReceived)
                .bigint("bytes_sent", "Bytes of servers' answers to it.", ClientSnapshot::bytesSent);
        return columns.view("clients", "CLIENTS", "One row for each client.", () -> rows(ClientViews::clientRows));
    }

    View pins() {
        ViewColumns<ClientRow> columns = new ViewColumns<>();
        columns.text("bucket", "The client's bucket.", row -> row.in().bucket())
                .text("login", "The client's login.", row -> row.identity().login());
        columns.of(ClientRow::client)
                .bigint("client_id", "The client that is pinned.", ClientSnapshot::id)
                .number("connection_id", "The server connection that it keeps.", ClientSnapshot::connectionId)
                .text("reason", "As in the metric proxy_pins.", of -> reason(of.pinReason()));
        columns.time("since", "When it began.", row -> row.at(ClientSnapshot::pinnedSince))
                .millis("age_ms", "How long ago.", ClientRow::pinAge)
                .bit(
                        "overdue",
                        "Whether the pin is older than proxy.max_pin_time; the log has a warning then.",
                        row -> row.client().overdue())
                .text("application", "The client's.", row -> row.identity().application());
        return columns.view("pins", "PINS", "One row for each pin.", () -> rows(ClientViews::pinRows));
    }

    View waiters() {
        return new ViewColumns<WaiterRow>()
                .text("bucket", "The bucket that it waits for.", row -> row.in().bucket())
                .text(
                        "login",
                        "The login that its limit and turn belong to.",
                        row -> row.waiter().login())
                .integer("place", "Its place by arrival, from 1.", WaiterRow::place)
                .number(
                        "client_id",
                        "The client; NULL for a login whose password is being checked.",
                        row -> row.waiter().client())
                .time(
                        "waiting_since",
                        "When it entered the queue.",
                        row -> row.in().instant(row.waiter().since()))
                .millis(
                        "waited_ms",
                        "How long ago.",
                        row -> row.in().since(row.waiter().since()))
                .time(
                        "timeout_at",
                        "When it will be refused.",
                        row -> row.in().instant(row.waiter().deadline()))
                .view(
                        "waiters",
                        "WAITERS",
                        "One row for each request in a queue, oldest first.",
                        () -> rows(ClientViews::waiterRows));
    }

    View connections() {
        ViewColumns<ConnectionRow> columns = new ViewColumns<>();
        columns.bigint(
                        "connection_id",
                        "Its number in its bucket.",
                        row -> row.pool().id())
                .text("server_name", "The bucket's id.", row -> row.in().bucket())
                .text("local_user", "The login.", row -> row.pool().login())
                .text("state", "What it is doing.", row -> row.pool().state().word());
        columns.of(ConnectionRow::connection)
                .integerFromOne(
                        "spid",
                        "The session's number on the server; NULL before it has answered.",
                        ConnectionSnapshot::spid)
                .number("client_id", "The client it is attached to; NULL without one.", ConnectionSnapshot::client)
                .text("address", "The server's address and port.", ConnectionSnapshot::address)
                .bit("encrypted", "Whether it is encrypted after the login too.", ConnectionSnapshot::encrypted);
        columns.time(
                        "created_at",
                        "When it was opened; while it is being opened, when that began.",
                        row -> row.in().instant(row.pool().createdAt()))
                .time(
                        "last_used",
                        "When it was last attached or detached.",
                        row -> row.pool().uses() == 0
                                ? null
                                : row.in().instant(row.pool().lastUsedAt()))
                .time("expires_at", "When it becomes too old to be attached.", ClientViews::expiry);
        columns.of(ConnectionRow::pool)
                .bigint("use_count", "Times attached.", BucketSnapshot.ConnectionSnapshot::uses)
                .bigint(
                        "query_count",
                        "Requests that the server has answered on it.",
                        BucketSnapshot.ConnectionSnapshot::queries)
                .bigint("bytes_sent", "Bytes to the server.", BucketSnapshot.ConnectionSnapshot::bytesSent)
                .bigint("bytes_received", "Bytes from the server.", BucketSnapshot.ConnectionSnapshot::bytesReceived);
        return columns.view(
                "remote_connections",
                "CONNECTIONS",
                "One row for each server connection.",
                () -> rows(ClientViews::connectionRows));
    }

    private <T> List<T> rows(Function<BucketDetail, List<T>> of) {
        List<T> all = new ArrayList<>();
        details.get().forEach(detail -> all.addAll(of.apply(detail)));
        return all;
    }

    private static List<ClientRow> clientRows(BucketDetail in) {
        return in.clients().stream().map(client -> new ClientRow(in, client)).toList();
    }

    private static List<ClientRow> pinRows(BucketDetail in) {
        return clientRows(in).stream()
                .filter(row -> row.client().pinReason() != null)
                .toList();
    }

    private static @Nullable Instant expiry(ConnectionRow row) {
        long until = row.pool().handoutUntil();
        return until == Long.MAX_VALUE ? null : row.in().instant(until);
    }

    /** Leaves out connections that wait for a slot: they are not being opened yet. */
    private static List<ConnectionRow> connectionRows(BucketDetail in) {
        return in.connections().stream()
                .filter(connection -> connection.pool().state() != ConnectionState.LEASING)
                .map(connection -> new ConnectionRow(in, connection))
                .toList();
    }

    private static List<WaiterRow> waiterRows(BucketDetail in) {
        List<WaiterRow> rows = new ArrayList<>();
        for (WaiterSnapshot waiter : in.waiters()) {
            rows.add(new WaiterRow(in, waiter, rows.size() + 1));
        }
        return rows;
    }

    private static String state(ClientSnapshot client) {
        return lower(client.state()).replace('_', ' ');
    }

    private static String reason(@Nullable PinReason reason) {
        return Objects.toString(reason, "").toLowerCase(Locale.ROOT);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
