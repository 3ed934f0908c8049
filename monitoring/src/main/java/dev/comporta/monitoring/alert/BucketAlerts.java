package dev.comporta.monitoring.alert;

import static dev.comporta.monitoring.alert.Alerts.p99;
import static dev.comporta.monitoring.alert.Alerts.rate;
import static dev.comporta.monitoring.alert.Alerts.value;
import static dev.comporta.monitoring.alert.Severity.CRITICAL;
import static dev.comporta.monitoring.alert.Severity.INFO;
import static dev.comporta.monitoring.alert.Severity.WARNING;

import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** Alerts about a bucket: its server, its queue, and how its clients use the connections. */
final class BucketAlerts {
    private static final int LONG_QUEUE = 100;
    private static final double LONG_WAIT_SECONDS = 1;
    private static final double SLOW_CONNECT_SECONDS = 5;
    private static final double NEARLY_ALL = 0.9;
    private static final double HALF = 0.5;

    /** 90 % of the 64 MiB beyond which statements pin their client. */
    private static final double PREPARED_BYTES = 0.9 * 64 * 1024 * 1024;

    private BucketAlerts() {}

    private static Query limit() {
        return value(Metric.CONNECTIONS_MAX).maxBy("bucket");
    }

    private static Query up() {
        return value(Metric.BUCKET_UP);
    }

    static List<Alert> all() {
        return List.of(
                CRITICAL.alert(
                        "ComportaBucketDown",
                        "1m",
                        up().maxBy("bucket").is(0),
                        "The server of bucket {{ $labels.bucket }} is down",
                        "No instance can reach the server of {{ $labels.bucket }}. Requests wait (when_down: wait) or get error 50003."),
                WARNING.alert(
                        "ComportaBucketUnreachable",
                        "2m",
                        up().is(0).whereAlso("bucket", up().is(1)),
                        "Instance {{ $labels.instance }} can't reach bucket {{ $labels.bucket }}",
                        "{{ $labels.instance }} considers the server of {{ $labels.bucket }} down, although other instances reach it."),
                WARNING.alert(
                        "ComportaBucketFull",
                        "5m",
                        value(Metric.BUCKET_FULL).maxBy("bucket").is(1),
                        "The server of bucket {{ $labels.bucket }} takes no more connections",
                        "The server of {{ $labels.bucket }} refuses further connections: it has reached its limit. Requests wait, and get error 50004, which quotes the server."),
                WARNING.alert(
                        "ComportaQueueLong",
                        "1m",
                        value(Metric.QUEUE_LENGTH).sumBy("bucket").above(LONG_QUEUE),
                        "{{ $value }} requests wait for bucket {{ $labels.bucket }}",
                        "{{ $value }} requests wait for a server connection to {{ $labels.bucket }}: the limit is too low for the load, requests are slow, or pinned clients hold connections."),
                WARNING.alert(
                        "ComportaQueueWaitHigh",
                        "5m",
                        p99(Metric.QUEUE_WAIT, "bucket").above(LONG_WAIT_SECONDS),
                        "Requests wait {{ $value | humanizeDuration }} for bucket {{ $labels.bucket }}",
                        "One request in a hundred to {{ $labels.bucket }} waits {{ $value | humanizeDuration }} or longer for a server connection."),
                WARNING.alert(
                        "ComportaLimitNearlyUsed",
                        "15m",
                        value(Metric.CONNECTIONS_ACTIVE)
                                .sumBy("bucket")
                                .per(limit())
                                .above(NEARLY_ALL),
                        "Bucket {{ $labels.bucket }} uses {{ $value | humanizePercentage }} of its limit",
                        "For 15 minutes clients have used more than 90 % of max_connections of {{ $labels.bucket }}. The next peak will wait."),
                WARNING.alert(
                        "ComportaPinsHigh",
                        "15m",
                        value(Metric.CONNECTIONS_PINNED)
                                .sumBy("bucket")
                                .per(limit())
                                .above(HALF),
                        "Pinned clients hold {{ $value | humanizePercentage }} of bucket {{ $labels.bucket }}",
                        "For 15 minutes more than half of max_connections of {{ $labels.bucket }} has been kept by clients with an open transaction or another pin, and can't be shared."),
                WARNING.alert(
                        "ComportaConnectionErrors",
                        "5m",
                        rate(Metric.CONNECTION_ERRORS, "bucket", "reason").above(0),
                        "Server connections of bucket {{ $labels.bucket }} fail ({{ $labels.reason }})",
                        "{{ $value | humanize }} server connections a second to {{ $labels.bucket }} fail: {{ $labels.reason }}."),
                WARNING.alert(
                        "ComportaConnectSlow",
                        "10m",
                        p99(Metric.CONNECT_DURATION, "bucket").above(SLOW_CONNECT_SECONDS),
                        "Connecting to bucket {{ $labels.bucket }} takes {{ $value | humanizeDuration }}",
                        "One connect in a hundred to the server of {{ $labels.bucket }} takes {{ $value | humanizeDuration }} or longer, login included."),
                WARNING.alert(
                        "ComportaRefillsFail",
                        "10m",
                        rate(Metric.RESERVOIR_REFILL_FAILURES, "bucket").above(0),
                        "The reservoir of bucket {{ $labels.bucket }} can't be refilled",
                        "{{ $value | humanize }} connections a second for the reservoir of {{ $labels.bucket }} could not be opened."),
                WARNING.alert(
                        "ComportaHealthChecksFail",
                        "10m",
                        rate(Series.of(Metric.HEALTH_CHECKS).with("result", "failure"), "bucket")
                                .above(0),
                        "Health checks of bucket {{ $labels.bucket }} fail",
                        "{{ $value | humanize }} checks a second of idle connections to {{ $labels.bucket }} fail."),
                WARNING.alert(
                        "ComportaServerTlsFails",
                        "2m",
                        rate(Series.of(Metric.SERVER_TLS_HANDSHAKES).with("result", "failed"), "bucket")
                                .above(0),
                        "TLS with the server of bucket {{ $labels.bucket }} fails",
                        "{{ $value | humanize }} TLS handshakes a second with the server of {{ $labels.bucket }} fail: its certificate has expired or is not trusted, or its TLS settings changed."),
                WARNING.alert(
                        "ComportaSessionsLinger",
                        "",
                        Series.of(Metric.CONNECTIONS_CLOSED)
                                .with("reason", "end_unseen")
                                .increase("15m")
                                .sumBy("bucket")
                                .above(0),
                        "The server of bucket {{ $labels.bucket }} does not end sessions in time",
                        "{{ $value | humanize }} server connections to {{ $labels.bucket }} were given up within 15 minutes without the server having ended their sessions: it may count more sessions than max_connections."),
                INFO.alert(
                        "ComportaStateReplays",
                        "30m",
                        rate(Metric.STATE_REPLAYS, "bucket")
                                .per(Series.of(Metric.QUERY_DURATION)
                                        .observations(Alerts.WINDOW)
                                        .sumBy("bucket"))
                                .above(HALF),
                        "Every other request to bucket {{ $labels.bucket }} costs a second round trip",
                        "Before {{ $value | humanizePercentage }} of the requests to {{ $labels.bucket }} the client's settings have to be applied to another connection: clients of one login use different settings."),
                WARNING.alert(
                        "ComportaPreparedMemoryHigh",
                        "15m",
                        value(Metric.PREPARED_BYTES).above(PREPARED_BYTES),
                        "Prepared statements of bucket {{ $labels.bucket }} are about to pin clients",
                        "The texts of prepared statements of {{ $labels.bucket }} take {{ $value | humanize1024 }}B on {{ $labels.instance }}; beyond 64 MiB, further statements pin their client."));
    }
}
