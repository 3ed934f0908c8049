package dev.comporta.monitoring.alert;

import static dev.comporta.monitoring.alert.Alerts.rate;
import static dev.comporta.monitoring.alert.Alerts.value;
import static dev.comporta.monitoring.alert.Severity.CRITICAL;
import static dev.comporta.monitoring.alert.Severity.WARNING;
import static dev.comporta.monitoring.query.Series.SCRAPED;

import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** Alerts about the fleet as a whole: Redis, and the limits that all instances obey together. */
final class FleetAlerts {
    private static final double SLOW_SECONDS = 0.25;

    private FleetAlerts() {}

    /** Connections that the server counts, and those that are about to be opened with their slot. */
    private static Query connectionsWithSlot() {
        return Series.of(Metric.CONNECTIONS_IN_STATE)
                .with(
                        "state",
                        "rate_limited",
                        "connecting",
                        "logging_in",
                        "ready",
                        "attached",
                        "pinned",
                        "resetting",
                        "validating",
                        "closing")
                .value()
                .sumBy("bucket");
    }

    static List<Alert> all() {
        return List.of(
                WARNING.alert(
                        "ComportaRedisUnreachable",
                        "1m",
                        value(Metric.DEGRADED).is(1),
                        "Instance {{ $labels.instance }} can't reach Redis",
                        "Calls of {{ $labels.instance }} to Redis fail for at least one bucket. It keeps the server connections that it has; once its lease expires, it goes on with its fair share."),
                CRITICAL.alert(
                        "ComportaFallbackActive",
                        "1m",
                        value(Metric.FALLBACK_ACTIVE).is(1).countBy(SCRAPED),
                        "Instance {{ $labels.instance }} runs without Redis",
                        "The leases of {{ $value }} buckets of {{ $labels.instance }} have expired because Redis can't be reached: it uses max_connections / local_limit_divisor of each, and no more."),
                WARNING.alert(
                        "ComportaRedisSlow",
                        "5m",
                        value(Metric.REDIS_LATENCY).above(SLOW_SECONDS),
                        "Redis answers {{ $labels.instance }} slowly",
                        "The latest call of {{ $labels.instance }} to Redis took {{ $value | humanizeDuration }}. New server connections wait for it; requests on open ones do not."),
                WARNING.alert(
                        "ComportaRedisCallsFail",
                        "5m",
                        rate(Series.of(Metric.REDIS_OPERATIONS).with("status", "failed"), SCRAPED, "operation")
                                .above(0),
                        "Calls to Redis fail ({{ $labels.operation }}, {{ $labels.instance }})",
                        "{{ $value | humanize }} calls a second of the kind {{ $labels.operation }} fail on {{ $labels.instance }}."),
                WARNING.alert(
                        "ComportaLimitDisputed",
                        "10m",
                        value(Metric.SLOTS_LIMIT_DISPUTED).maxBy("bucket").is(1),
                        "Instances disagree about the limit of bucket {{ $labels.bucket }}",
                        "Instances are configured with different max_connections for {{ $labels.bucket }}, or one differs from the limit in force. The lowest is in force."),
                CRITICAL.alert(
                        "ComportaLimitExceeded",
                        "2m",
                        connectionsWithSlot()
                                .above(value(Metric.CONNECTIONS_MAX).maxBy("bucket")),
                        "More server connections than the limit of bucket {{ $labels.bucket }}",
                        "All instances together have {{ $value }} server connections to {{ $labels.bucket }}, which is more than max_connections allows."),
                WARNING.alert(
                        "ComportaSlotsLeaked",
                        "15m",
                        value(Metric.SLOTS_HELD)
                                .sumBy("bucket", SCRAPED)
                                .maxBy("bucket")
                                .minus(connectionsWithSlot())
                                .above(0),
                        "Bucket {{ $labels.bucket }} has slots that no connection uses",
                        "For 15 minutes the instances have held {{ $value }} more slots of {{ $labels.bucket }} than they have server connections. Waiting requests lack that many connections."));
    }
}
