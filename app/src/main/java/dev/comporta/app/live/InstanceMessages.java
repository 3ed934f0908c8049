package dev.comporta.app.live;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.comporta.app.console.BucketTables;
import dev.comporta.app.console.Event;
import dev.comporta.app.console.EventLog;
import dev.comporta.app.recent.Point;
import dev.comporta.app.recent.Recent;
import dev.comporta.console.Console;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import dev.comporta.console.table.View;
import dev.comporta.ops.config.proxy.AdminConfig;
import dev.comporta.ops.json.Json;
import dev.comporta.ops.watch.InstanceTable;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observer;
import dev.comporta.ops.work.BackgroundWork;
import dev.comporta.proxy.Proxy;
import dev.comporta.proxy.watch.BucketDetail;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The messages of an instance: rows of the console's views, cut to the columns that the page shows. */
final class InstanceMessages implements LiveMessages {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double DECIMALS = 1000;

    /** Rows of each kind in a bucket: a page has no room for more. */
    private static final int MOST_DETAILS = 100;

    private static final int MOST_EVENTS = 100;
    /** The page draws large tiles with charts for up to this number of buckets. */
    private static final int MOST_DRAWN = 12;

    private static final List<String> BUCKET_COLUMNS = names("""
            server_name healthy unhealthy_reason paused active idle opening pinned waiting clients max_connections
            slots_held slots_fallback requests_per_second wait_p50_ms wait_p99_ms query_p99_ms longest_pin_ms
            longest_transaction_ms timeouts refused connection_errors
            """);

    private static final List<String> POOL_COLUMNS = names("""
            local_user profile total_connections active_connections idle_connections waiting_requests total_acquires
            acquire_timeouts avg_acquire_wait_ms
            """);

    private static final List<String> CLIENT_COLUMNS = names("""
            client_id login application host_name address database_name state pin_reason pin_age_ms connection_id
            requests last_request
            """);

    private static final List<String> CONNECTION_COLUMNS =
            List.of("connection_id", "local_user", "state", "spid", "client_id", "address", "created_at", "use_count");

    private static final List<String> PIN_COLUMNS =
            List.of("client_id", "login", "application", "reason", "age_ms", "overdue", "connection_id");

    private static final List<String> WAITER_COLUMNS =
            List.of("place", "login", "client_id", "waited_ms", "timeout_at");

    private final String instance;
    private final String version;
    private final Proxy proxy;
    private final Observer observer;
    private final Recent recent;
    private final EventLog events;
    private final View buckets;
    private final View pools;
    private final TableJson bucketRows;
    private final TableJson poolRows;
    private final Supplier<AdminConfig> config;

    InstanceMessages(
            String instance,
            String version,
            Proxy proxy,
            Observer observer,
            Recent recent,
            EventLog events,
            Console console,
            Supplier<AdminConfig> config) {
        this.instance = instance;
        this.version = version;
        this.proxy = proxy;
        this.observer = observer;
        this.recent = recent;
        this.events = events;
        this.config = config;
        buckets = Objects.requireNonNull(console.catalog().shown().get("POOLS"));
        pools = Objects.requireNonNull(console.catalog().shown().get("USERS"));
        bucketRows = new TableJson(buckets.columns(), BUCKET_COLUMNS);
        poolRows = new TableJson(pools.columns(), POOL_COLUMNS);
    }

    private static List<String> names(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }

    @Override
    public byte[] buckets() {
        List<Row> rows = buckets.read().rows();
        return ServerSentEvent.of("buckets", json -> {
            json.writeStartObject();
            json.writeNumberField("at", System.currentTimeMillis());
            bucketRows.write(json, "buckets", rows, _ -> true);
            json.writeEndObject();
        });
    }

    @Override
    public byte[] instances() {
        Observation seen = observer.observe();
        return ServerSentEvent.of("instances", json -> {
            json.writeStartObject();
            json.writeNumberField("at", System.currentTimeMillis());
            json.writeStringField("instance", instance);
            json.writeStringField("version", version);
            json.writeStringField("phase", seen.phase().name().toLowerCase(Locale.ROOT));
            json.writeBooleanField("shared", seen.fleet().isPresent());
            json.writeBooleanField("actions", config.get().token().isPresent());
            json.writeArrayFieldStart("instances");
            for (InstanceTable.Row row : InstanceTable.of(seen).rows()) {
                writeInstance(json, row);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void writeInstance(JsonGenerator json, InstanceTable.Row row) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", row.instance());
        json.writeBooleanField("self", row.self());
        json.writeBooleanField("degraded", row.degraded());
        if (row.heard().isPresent()) {
            json.writeNumberField("heard", row.heard().get().toEpochMilli());
        }
        json.writeObjectFieldStart("slots");
        for (InstanceTable.Holding holding : row.holdings()) {
            if (holding.held() > 0 || holding.waiting() > 0) {
                json.writeArrayFieldStart(holding.bucket());
                json.writeNumber(holding.held());
                json.writeNumber(holding.waiting());
                json.writeEndArray();
            }
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    @Override
    public long latestEvent() {
        List<Event> all = events.events();
        return all.isEmpty() ? 0 : all.getLast().id();
    }

    @Override
    public byte[] eventsAfter(long number) {
        List<Event> newer =
                events.events().stream().filter(event -> event.id() > number).toList();
        List<Event> shown = newer.subList(Math.max(0, newer.size() - MOST_EVENTS), newer.size());
        return ServerSentEvent.of("events", json -> {
            json.writeStartArray();
            for (Event event : shown) {
                json.writeStartObject();
                json.writeNumberField("id", event.id());
                json.writeNumberField("at", event.at().toEpochMilli());
                json.writeStringField("kind", event.kind().shown());
                json.writeStringField("bucket", event.bucket());
                json.writeStringField("client", event.client());
                json.writeStringField("login", event.login());
                json.writeNumberField("times", event.times());
                json.writeStringField("message", event.message());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    @Override
    public Optional<byte[]> detail(String bucket) {
        return BackgroundWork.awaiting(() -> proxy.detail(bucket, PATIENCE)).map(this::detail);
    }

    private byte[] detail(BucketDetail detail) {
        BucketTables tables = BucketTables.of(detail, MOST_DETAILS);
        Table ofAllPools = pools.read();
        int place = TableJson.place(ofAllPools.columns(), "server_name");
        Predicate<Row> isOfBucket = row -> detail.bucket().equals(row.get(place));
        long pinned = detail.clients().stream()
                .filter(client -> client.pinReason() != null)
                .count();
        return ServerSentEvent.of("detail", json -> {
            json.writeStartObject();
            json.writeNumberField("at", detail.at().toEpochMilli());
            json.writeStringField("bucket", detail.bucket());
            json.writeNumberField("clientCount", detail.clients().size());
            json.writeNumberField("pinCount", pinned);
            json.writeNumberField("waiterCount", detail.waiters().size());
            poolRows.write(json, "pools", ofAllPools.rows(), isOfBucket);
            TableJson.write(json, "clients", tables.clients(), CLIENT_COLUMNS);
            TableJson.write(json, "connections", tables.connections(), CONNECTION_COLUMNS);
            TableJson.write(json, "pins", tables.pins(), PIN_COLUMNS);
            TableJson.write(json, "waiters", tables.waiters(), WAITER_COLUMNS);
            json.writeEndObject();
        });
    }

    @Override
    public List<String> drawnTogether() {
        Collection<String> all = proxy.buckets();
        return all.size() <= MOST_DRAWN ? List.copyOf(all) : List.of();
    }

    @Override
    public long latestPoint(String bucket) {
        List<Point> points = recent.history(bucket);
        return points.isEmpty() ? Long.MIN_VALUE : points.getLast().at().toEpochMilli();
    }

    @Override
    public Optional<byte[]> historyAfter(String bucket, long millis) {
        List<Point> points = recent.history(bucket).stream()
                .filter(point -> point.at().toEpochMilli() > millis)
                .toList();
        return Optional.of(ServerSentEvent.of("history", json -> {
            json.writeStartObject();
            json.writeStringField("bucket", bucket);
            json.writeArrayFieldStart("points");
            for (Point point : points) {
                write(json, point);
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    private static void write(JsonGenerator json, Point point) throws IOException {
        json.writeStartObject();
        json.writeNumberField("at", point.at().toEpochMilli());
        json.writeNumberField("clients", point.occupancy().clients());
        json.writeNumberField("active", point.occupancy().active());
        json.writeNumberField("idle", point.occupancy().idle());
        json.writeNumberField("pinned", point.occupancy().pinned());
        json.writeNumberField("waiting", point.occupancy().waiting());
        json.writeNumberField("limit", point.occupancy().limit());
        json.writeFieldName("requests");
        Json.writeValue(json, TableJson.rounded(point.figures().requestsPerSecond()));
        json.writeFieldName("waitP50");
        Json.writeValue(json, millis(point.figures().waitP50()));
        json.writeFieldName("waitP99");
        Json.writeValue(json, millis(point.figures().waitP99()));
        json.writeNumberField("errors", point.failures().connections());
        json.writeNumberField("refused", point.failures().refused());
        json.writeObjectFieldStart("pins");
        for (var pin : point.occupancy().pins().entrySet()) {
            json.writeNumberField(pin.getKey().name().toLowerCase(Locale.ROOT), pin.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static @Nullable Double millis(@Nullable Duration duration) {
        return duration == null ? null : Math.round(duration.toNanos() / NANOS_PER_MILLI * DECIMALS) / DECIMALS;
    }
}
