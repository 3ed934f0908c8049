package dev.comporta.monitoring.alert;

import static dev.comporta.monitoring.alert.Alerts.p99;
import static dev.comporta.monitoring.alert.Alerts.value;
import static dev.comporta.monitoring.alert.Severity.CRITICAL;
import static dev.comporta.monitoring.alert.Severity.INFO;
import static dev.comporta.monitoring.alert.Severity.WARNING;
import static dev.comporta.monitoring.query.Series.EXPORTED;
import static dev.comporta.monitoring.query.Series.SCRAPED;

import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.time.Duration;
import java.util.List;

/** Alerts about single instances: their health, and their process. */
final class InstanceAlerts {
    /** Half of the silence after which /health/live reports a dead event loop. */
    private static final double STALLED_SECONDS = 5;

    private static final double NEARLY_ALL = 0.8;
    private static final double LATE_SECONDS = 0.05;

    /** More starts than a rolling restart causes. */
    private static final int RESTARTS = 2;

    /** Long enough even if signing a certificate takes days. */
    private static final double RENEWAL_SECONDS = Duration.ofDays(14).toSeconds();

    private InstanceAlerts() {}

    static List<Alert> all() {
        return List.of(
                CRITICAL.alert(
                        "ComportaInstanceDown",
                        "1m",
                        Query.up().is(0),
                        "Instance {{ $labels.instance }} can't be scraped",
                        "Prometheus can't reach the metrics port of {{ $labels.instance }}: the instance is dead, frozen, or cut off. The others take over its clients, and its slots once its heartbeat has expired."),
                WARNING.alert(
                        "ComportaHeartbeatLost",
                        "1m",
                        Series.of(Metric.INSTANCE_HEARTBEAT)
                                .highestIn("15m")
                                .maxBy(EXPORTED)
                                .unless(value(Metric.INSTANCE_HEARTBEAT)
                                        .above(0)
                                        .maxBy(EXPORTED)),
                        "Instance {{ $labels.exported_instance }} has lost its heartbeat",
                        "No instance sees a heartbeat of {{ $labels.exported_instance }} that is on time, and there was one in the last 15 minutes. After an intended stop this ends by itself."),
                CRITICAL.alert(
                        "ComportaNoInstanceReady",
                        "30s",
                        value(Metric.READY).is(1).isAbsent(),
                        "No instance is ready: clients can't connect",
                        "/health/ready of no instance answers 200. Load balancers have no instance to send clients to."),
                WARNING.alert(
                        "ComportaInstanceNotReady",
                        "5m",
                        value(Metric.READY).is(0),
                        "Instance {{ $labels.instance }} is not ready",
                        "/health/ready of {{ $labels.instance }} has answered 503 for five minutes. It starts or drains for too long, shares its instance_id with another process, or has lost Redis with fallback.enabled: false."),
                WARNING.alert(
                        "ComportaInstanceRestarts",
                        "",
                        Series.of(Metric.START_TIME).changesIn("30m").above(RESTARTS),
                        "Instance {{ $labels.instance }} restarts again and again",
                        "{{ $labels.instance }} was started {{ $value }} times in the last 30 minutes."),
                CRITICAL.alert(
                        "ComportaEventLoopStalled",
                        "30s",
                        value(Metric.SNAPSHOT_AGE).maxBy(SCRAPED).above(STALLED_SECONDS),
                        "An event loop of {{ $labels.instance }} does not answer",
                        "The figures of at least one bucket of {{ $labels.instance }} are {{ $value | humanizeDuration }} old: the event loop of that bucket is blocked or starved, and its clients wait."),
                WARNING.alert(
                        "ComportaEventLoopLag",
                        "5m",
                        p99(Metric.EVENT_LOOP_LAG, SCRAPED, "loop").above(LATE_SECONDS),
                        "Event loop {{ $labels.loop }} of {{ $labels.instance }} is late",
                        "One in a hundred tasks of {{ $labels.loop }} of {{ $labels.instance }} runs {{ $value | humanizeDuration }} late or later: the loop is overloaded, or the machine gives it too little CPU."),
                WARNING.alert(
                        "ComportaBufferMemoryHigh",
                        "5m",
                        Series.of(Metric.BUFFER_MEMORY)
                                .with("area", "direct")
                                .value()
                                .sumBy(SCRAPED)
                                .per(value(Metric.BUFFER_MEMORY_MAX).sumBy(SCRAPED))
                                .above(NEARLY_ALL),
                        "Network buffers of {{ $labels.instance }} are nearly used up",
                        "Network buffers hold {{ $value | humanizePercentage }} of the direct memory that {{ $labels.instance }} may take."),
                WARNING.alert(
                        "ComportaFileDescriptorsHigh",
                        "5m",
                        value(Metric.OPEN_FDS)
                                .sumBy(SCRAPED)
                                .per(value(Metric.MAX_FDS).sumBy(SCRAPED))
                                .above(NEARLY_ALL),
                        "File descriptors of {{ $labels.instance }} are nearly used up",
                        "{{ $labels.instance }} has {{ $value | humanizePercentage }} of its file descriptors open. Each client and each server connection takes one; beyond the last, connections are refused."),
                WARNING.alert(
                        "ComportaReloadFailed",
                        "",
                        value(Metric.CONFIG_LAST_RELOAD_FAILED).is(1),
                        "Instance {{ $labels.instance }} could not reload its configuration",
                        "{{ $labels.instance }} runs with the configuration from before its last reload. The files have errors: a restart would fail."),
                WARNING.alert(
                        "ComportaCertificateExpires",
                        "10m",
                        value(Metric.CERTIFICATE_EXPIRY).ahead().below(RENEWAL_SECONDS),
                        "The certificate of {{ $labels.instance }} is about to expire",
                        "The certificate that {{ $labels.instance }} shows its clients, or one of its chain, expires in {{ $value | humanizeDuration }}. After that, clients that check it can't connect."),
                INFO.alert(
                        "ComportaVersionsMixed",
                        "30m",
                        value(Metric.BUILD_INFO).countBy("version").countBy().above(1),
                        "Instances run {{ $value }} different versions",
                        "An upgrade has been under way for half an hour, or has stopped halfway."));
    }
}
