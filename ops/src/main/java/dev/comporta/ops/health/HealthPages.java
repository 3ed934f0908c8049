package dev.comporta.ops.health;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.comporta.ops.health.HealthReport.Component;
import dev.comporta.ops.health.HealthReport.PoolFigures;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.ops.json.Json;
import dev.comporta.ops.watch.InstanceTable;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** The pages of the health port. */
public final class HealthPages {
    private final String instance;
    private final Observer observer;

    public HealthPages(String instance, Observer observer) {
        this.instance = instance;
        this.observer = observer;
    }

    public HttpRoutes routes() {
        return new HttpRoutes()
                .get("/health/live", _ -> live())
                .get("/health/ready", _ -> answer(false))
                .get("/health", _ -> answer(true))
                .get("/instances", _ -> HttpResponse.json(HttpResponse.OK, Json.write(this::writeInstances)));
    }

    private static int status(boolean good) {
        return good ? HttpResponse.OK : HttpResponse.SERVICE_UNAVAILABLE;
    }

    /** Liveness: waits for nothing. It shows that the process answers, and checks that the event loops run. */
    HttpResponse live() {
        String stuck = HealthReport.whyNotAlive(observer.silence());
        return HttpResponse.json(status(stuck.isEmpty()), Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("status", stuck.isEmpty() ? "alive" : "stuck");
            json.writeStringField("timestamp", time(Instant.now()));
            json.writeStringField("instance_id", instance);
            writeMessage(json, stuck);
            json.writeEndObject();
        }));
    }

    private HttpResponse answer(boolean detailed) {
        HealthReport report = HealthReport.of(observer.observe());
        return HttpResponse.json(status(report.isReady()), Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("status", word(report.status()));
            json.writeStringField("timestamp", time(report.at()));
            json.writeStringField("instance_id", report.instance());
            json.writeStringField("phase", report.phase());
            writeMessage(json, report.message());
            if (detailed) {
                json.writeArrayFieldStart("components");
                for (Component component : report.components()) {
                    write(json, component);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }));
    }

    private static void write(JsonGenerator json, Component component) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", component.name());
        json.writeStringField("status", word(component.status()));
        writeText(json, "latency", component.latency().map(HealthPages::millis));
        writeMessage(json, component.message());
        if (component.pool().isPresent()) {
            write(json, component.pool().get());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, PoolFigures pool) throws IOException {
        json.writeObjectFieldStart("pool");
        json.writeStringField("bucket", pool.bucket());
        json.writeStringField("server", pool.server());
        json.writeNumberField("clients", pool.clients());
        json.writeNumberField("active", pool.active());
        json.writeNumberField("idle", pool.idle());
        json.writeNumberField("pinned", pool.pinned());
        json.writeNumberField("max", pool.max());
        json.writeNumberField("queue", pool.waiting());
        json.writeStringField("age", millis(pool.age()));
        json.writeEndObject();
    }

    private void writeInstances(JsonGenerator json) throws IOException {
        Observation seen = observer.observe();
        json.writeStartObject();
        json.writeStringField("timestamp", time(seen.at()));
        json.writeStringField("instance_id", seen.instance());
        json.writeBooleanField("shared", seen.fleet().isPresent());
        json.writeBooleanField(
                "degraded", seen.fleet().map(Observation.FleetSight::isDegraded).orElse(false));
        json.writeArrayFieldStart("instances");
        for (InstanceTable.Row row : InstanceTable.of(seen).rows()) {
            write(json, row);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, InstanceTable.Row row) throws IOException {
        json.writeStartObject();
        json.writeStringField("instance", row.instance());
        json.writeBooleanField("self", row.self());
        writeText(json, "last_heartbeat", row.heard().map(HealthPages::time));
        json.writeBooleanField("degraded", row.degraded());
        json.writeNumberField("held", row.held());
        json.writeArrayFieldStart("slots");
        for (InstanceTable.Holding holding : row.holdings()) {
            json.writeStartObject();
            json.writeStringField("bucket", holding.bucket());
            json.writeNumberField("held", holding.held());
            json.writeNumberField("waiting", holding.waiting());
            json.writeNumberField("idle", holding.idle());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void writeMessage(JsonGenerator json, String message) throws IOException {
        if (!message.isEmpty()) {
            json.writeStringField("message", message);
        }
    }

    private static void writeText(JsonGenerator json, String name, Optional<String> text) throws IOException {
        if (text.isPresent()) {
            json.writeStringField(name, text.get());
        }
    }

    private static String word(Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    private static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1fms", time.toNanos() / 1e6);
    }
}
