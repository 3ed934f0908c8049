package dev.comporta.monitoring.alert;

import static dev.comporta.monitoring.alert.Severity.CRITICAL;
import static dev.comporta.monitoring.alert.Severity.WARNING;
import static dev.comporta.monitoring.query.Series.SCRAPED;

import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** Of the fleet as a whole: Redis, and the limits that all instances keep together. */
final class FleetAlerts {
    private static final double SLOW_SECONDS = 0.25;

    private FleetAlerts() {}

    /** Those that the server counts, and those that are about to be opened with their slot. */
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
                new Alert(
                        "ComportaRedisUnreachable",
                        WARNING,
                        "1m",
                        Series.of(Metric.DEGRADED).value().is(1),
                        "Instance {{ $labels.instance }} can't reach Redis",
                        "Calls of {{ $labels.instance }} to Redis fail for at least one bucket. It keeps the server connections that it has; once its lease expires, it goes on with its fair share."),
                new Alert(
                        "ComportaFallbackActive",
                        CRITICAL,
                        "1m",
                        Series.of(Metric.FALLBACK_ACTIVE).value().is(1).countBy(SCRAPED),
                        "Instance {{ $labels.instance }} runs without Redis",
                        "The leases of {{ $value }} buckets of {{ $labels.instance }} have expired because Redis can't be reached: it uses max_connections / local_limit_divisor of each, and no more."),
                new Alert(
                        "ComportaRedisSlow",
                        WARNING,
                        "5m",
                        Series.of(Metric.REDIS_LATENCY).value().above(SLOW_SECONDS),
                        "Redis answers {{ $labels.instance }} slowly",
                        "The latest call of {{ $labels.instance }} to Redis took {{ $value | humanizeDuration }}. New server connections wait for it; requests on open ones do not."),
                new Alert(
                        "ComportaRedisCallsFail",
                        WARNING,
                        "5m",
                        Series.of(Metric.REDIS_OPERATIONS)
                                .with("status", "failed")
                                .rate(Alerts.WINDOW)
                                .sumBy(SCRAPED, "operation")
                                .above(0),
                        "Calls to Redis fail ({{ $labels.operation }}, {{ $labels.instance }})",
                        "{{ $value | humanize }} calls a second of the kind {{ $labels.operation }} fail on {{ $labels.instance }}."),
                new Alert(
                        "ComportaLimitDisputed",
                        WARNING,
                        "10m",
                        Series.of(Metric.SLOTS_LIMIT_DISPUTED)
                                .value()
                                .maxBy("bucket")
                                .is(1),
                        "Instances disagree about the limit of bucket {{ $labels.bucket }}",
                        "Instances are configured with different max_connections for {{ $labels.bucket }}, or one differs from the limit in force. The lowest holds."),
                new Alert(
                        "ComportaLimitExceeded",
                        CRITICAL,
                        "2m",
                        connectionsWithSlot()
                                .above(Series.of(Metric.CONNECTIONS_MAX).value().maxBy("bucket")),
                        "More server connections than the limit of bucket {{ $labels.bucket }}",
                        "All instances together have {{ $value }} server connections to {{ $labels.bucket }}, which is more than max_connections allows."),
                new Alert(
                        "ComportaSlotsLeaked",
                        WARNING,
                        "15m",
                        Series.of(Metric.SLOTS_HELD)
                                .value()
                                .sumBy("bucket", SCRAPED)
                                .maxBy("bucket")
                                .minus(connectionsWithSlot())
                                .above(0),
                        "Bucket {{ $labels.bucket }} has slots that no connection uses",
                        "For 15 minutes the instances have held {{ $value }} more slots of {{ $labels.bucket }} than they have server connections. So many connections are missing to those who wait."));
    }
}
