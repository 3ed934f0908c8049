package dev.comporta.ops.health;

import dev.comporta.ops.health.HealthReport.Component;
import dev.comporta.ops.health.HealthReport.PoolFigures;
import dev.comporta.ops.http.HttpResponse;
import dev.comporta.ops.http.HttpRoutes;
import dev.comporta.ops.json.Json;
import dev.comporta.ops.watch.InstanceTable;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** What can be asked of the health port. */
public final class HealthPages {
    private static final int OK = 200;

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
                .get("/instances", _ -> HttpResponse.json(OK, instances().toString()));
    }

    /** Waits for nobody: that it answers is most of the answer, and that the event loops run is the rest. */
    HttpResponse live() {
        String stuck = HealthReport.whyNotAlive(observer.silence());
        Json json = new Json()
                .put("status", stuck.isEmpty() ? "alive" : "stuck")
                .put("timestamp", time(Instant.now()))
                .put("instance_id", instance);
        putMessage(json, stuck);
        return HttpResponse.json(stuck.isEmpty() ? OK : HttpResponse.SERVICE_UNAVAILABLE, json.toString());
    }

    private HttpResponse answer(boolean detailed) {
        HealthReport report = HealthReport.of(observer.observe());
        Json json = new Json()
                .put("status", word(report.status()))
                .put("timestamp", time(report.at()))
                .put("instance_id", report.instance())
                .put("phase", report.phase());
        putMessage(json, report.message());
        if (detailed) {
            json.put(
                    "components",
                    report.components().stream().map(HealthPages::component).toList());
        }
        return HttpResponse.json(report.isReady() ? OK : HttpResponse.SERVICE_UNAVAILABLE, json.toString());
    }

    private static Json component(Component component) {
        Json json = new Json()
                .put("name", component.name())
                .put("status", word(component.status()))
                .put("latency", component.latency().map(HealthPages::millis));
        putMessage(json, component.message());
        return json.put("pool", component.pool().map(HealthPages::pool));
    }

    private static Json pool(PoolFigures pool) {
        return new Json()
                .put("bucket", pool.bucket())
                .put("clients", pool.clients())
                .put("active", pool.active())
                .put("idle", pool.idle())
                .put("pinned", pool.pinned())
                .put("max", pool.max())
                .put("queue", pool.waiting())
                .put("age", millis(pool.age()));
    }

    private Json instances() {
        Observation seen = observer.observe();
        return new Json()
                .put("timestamp", time(seen.at()))
                .put("instance_id", seen.instance())
                .put("shared", seen.fleet().isPresent())
                .put(
                        "degraded",
                        seen.fleet().map(Observation.FleetSight::isDegraded).orElse(false))
                .put(
                        "instances",
                        InstanceTable.of(seen).rows().stream()
                                .map(HealthPages::row)
                                .toList());
    }

    private static Json row(InstanceTable.Row row) {
        List<Json> holdings = row.holdings().stream()
                .map(holding -> new Json()
                        .put("bucket", holding.bucket())
                        .put("held", holding.held())
                        .put("waiting", holding.waiting())
                        .put("idle", holding.idle()))
                .toList();
        return new Json()
                .put("instance", row.instance())
                .put("self", row.self())
                .put("last_heartbeat", row.heard().map(HealthPages::time))
                .put("degraded", row.degraded())
                .put("held", row.held())
                .put("slots", holdings);
    }

    private static void putMessage(Json json, String message) {
        if (!message.isEmpty()) {
            json.put("message", message);
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
