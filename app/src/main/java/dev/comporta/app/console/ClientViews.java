package dev.comporta.app.console;

import dev.comporta.console.table.View;
import dev.comporta.console.table.ViewColumns;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.PinReason;
import dev.comporta.proxy.watch.BucketDetail;
import dev.comporta.proxy.watch.ClientSnapshot;
import dev.comporta.proxy.watch.ConnectionSnapshot;
import dev.comporta.proxy.watch.WaiterSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code sys.clients}, {@code waiters}, {@code pins} and {@code remote_connections}: what is in the buckets, one by one. */
final class ClientViews {
    private record ClientRow(BucketDetail in, ClientSnapshot client) {}

    private record ConnectionRow(BucketDetail in, ConnectionSnapshot connection) {}

    private record WaiterRow(BucketDetail in, WaiterSnapshot waiter, int place) {}

    private final Supplier<Collection<BucketDetail>> details;

    /** @param details taken when a view is read */
    ClientViews(Supplier<Collection<BucketDetail>> details) {
        this.details = details;
    }

    View clients() {
        return new ViewColumns<ClientRow>()
                .bigint(
                        "client_id",
                        "Its number in this instance, for KILL.",
                        row -> row.client().id())
                .text("address", "Its address and port.", row -> row.client().address())
                .text(
                        "login",
                        "From its LOGIN7.",
                        row -> row.client().identity().login())
                .text(
                        "database_name",
                        "From its LOGIN7; NULL for the login's default.",
                        row -> row.client().identity().database())
                .text(
                        "application",
                        "From its LOGIN7.",
                        row -> row.client().identity().application())
                .text(
                        "host_name",
                        "From its LOGIN7.",
                        row -> row.client().identity().hostName())
                .text("bucket", "The bucket it was routed to.", row -> row.in().bucket())
                .text("state", "What it is doing.", row -> state(row.client()))
                .text(
                        "pool_mode",
                        "How it uses server connections.",
                        row -> lower(row.client().mode()))
                .text(
                        "pin_reason",
                        "Why it keeps its server connection; NULL when it does not.",
                        row -> reason(row.client().pinReason()))
                .millis(
                        "pin_age_ms",
                        "How long it has kept it for that reason; NULL when it does not.",
                        row -> row.client().pinReason() == null
                                ? null
                                : row.in().since(row.client().pinnedSince()))
                .number(
                        "connection_id",
                        "Its server connection; NULL without one.",
                        row -> row.client().connectionId())
                .bit(
                        "encrypted",
                        "Whether all that follows the login is.",
                        row -> row.client().identity().encrypted())
                .text(
                        "tds_version",
                        "Such as 7.4.",
                        row -> row.client().identity().version().number())
                .time(
                        "connected_at",
                        "When it was let in.",
                        row -> row.in().instant(row.client().connectedAt()))
                .time(
                        "last_request",
                        "The end of its last answer or, while the server works, when the request was sent.",
                        row -> row.client().lastRequestAt() < 0
                                ? null
                                : row.in().instant(row.client().lastRequestAt()))
                .bigint(
                        "requests",
                        "Requests that it began.",
                        row -> row.client().requests())
                .bigint("bytes_received", "Bytes from it.", row -> row.client().bytesReceived())
                .bigint(
                        "bytes_sent",
                        "Bytes of servers' answers to it.",
                        row -> row.client().bytesSent())
                .view("clients", "CLIENTS", "One row for each client.", () -> rows(ClientViews::clientRows));
    }

    View pins() {
        return new ViewColumns<ClientRow>()
                .text("bucket", "Of the client.", row -> row.in().bucket())
                .text("login", "Of the client.", row -> row.client().identity().login())
                .bigint(
                        "client_id",
                        "The client that is pinned.",
                        row -> row.client().id())
                .number(
                        "connection_id",
                        "The server connection that it keeps.",
                        row -> row.client().connectionId())
                .text(
                        "reason",
                        "As in the metric proxy_pins.",
                        row -> reason(row.client().pinReason()))
                .time(
                        "since",
                        "When it began.",
                        row -> row.in().instant(row.client().pinnedSince()))
                .millis(
                        "age_ms",
                        "How long ago.",
                        row -> row.in().since(row.client().pinnedSince()))
                .bit(
                        "overdue",
                        "Whether proxy.max_pin_time is over, and the log has warned of it.",
                        row -> row.client().overdue())
                .text(
                        "application",
                        "Of the client.",
                        row -> row.client().identity().application())
                .view(
                        "pins",
                        "PINS",
                        "One row for each pin.",
                        () -> rows(detail -> clientRows(detail).stream()
                                .filter(row -> row.client().pinReason() != null)
                                .toList()));
    }

    View waiters() {
        return new ViewColumns<WaiterRow>()
                .text("bucket", "Where it waits.", row -> row.in().bucket())
                .text(
                        "login",
                        "Whose limit and turn it takes.",
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
        return new ViewColumns<ConnectionRow>()
                .bigint(
                        "connection_id",
                        "Its number in its bucket.",
                        row -> row.connection().pool().id())
                .text("server_name", "The bucket's id.", row -> row.in().bucket())
                .text("local_user", "The login.", row -> row.connection().pool().login())
                .text(
                        "state",
                        "What it is doing.",
                        row -> state(row.connection().pool().state()))
                .integerFromOne(
                        "spid",
                        "The session's number on the server; NULL before it has answered.",
                        row -> row.connection().spid())
                .number(
                        "client_id",
                        "The client it is attached to; NULL without one.",
                        row -> row.connection().client())
                .text(
                        "address",
                        "The server's address and port.",
                        row -> row.connection().address())
                .bit(
                        "encrypted",
                        "Whether all that follows the login is.",
                        row -> row.connection().encrypted())
                .time(
                        "created_at",
                        "When it was opened, or wanted while it is being opened.",
                        row -> row.in().instant(row.connection().pool().createdAt()))
                .time(
                        "last_used",
                        "When it was last attached or given back.",
                        row -> row.connection().pool().uses() == 0
                                ? null
                                : row.in().instant(row.connection().pool().lastUsedAt()))
                .time(
                        "expires_at",
                        "From when on no client gets it, because of its age.",
                        row -> row.connection().pool().handoutUntil() == Long.MAX_VALUE
                                ? null
                                : row.in().instant(row.connection().pool().handoutUntil()))
                .bigint(
                        "use_count",
                        "Times attached.",
                        row -> row.connection().pool().uses())
                .bigint(
                        "query_count",
                        "Requests that the server has answered on it.",
                        row -> row.connection().pool().queries())
                .bigint(
                        "bytes_sent",
                        "Bytes to the server.",
                        row -> row.connection().pool().bytesSent())
                .bigint(
                        "bytes_received",
                        "Bytes from the server.",
                        row -> row.connection().pool().bytesReceived())
                .view(
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

    /** One that is only wanted, and has no slot, is no connection yet. */
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

    private static String state(ConnectionState state) {
        return switch (state) {
            case LEASING, RATE_LIMITED, CONNECTING, LOGGING_IN -> "opening";
            case READY -> "idle";
            case ATTACHED -> "active";
            case PINNED -> "pinned";
            case RESETTING -> "resetting";
            case VALIDATING -> "checking";
            case CLOSING, CLOSED -> "closing";
        };
    }

    private static String reason(@Nullable PinReason reason) {
        return Objects.toString(reason, "").toLowerCase(Locale.ROOT);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
