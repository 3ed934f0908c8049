package dev.comporta.monitoring.alert;

import static dev.comporta.monitoring.alert.Severity.CRITICAL;
import static dev.comporta.monitoring.alert.Severity.INFO;
import static dev.comporta.monitoring.alert.Severity.WARNING;

import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** Of a bucket: its server, its queue, and what its clients do with the connections. */
final class BucketAlerts {
    private static final int LONG_QUEUE = 100;
    private static final double LONG_WAIT_SECONDS = 1;
    private static final double SLOW_CONNECT_SECONDS = 5;
    private static final double NEARLY_ALL = 0.9;
    private static final double HALF = 0.5;

    /** Of the 64 MiB beyond which statements pin their client. */
    private static final double PREPARED_BYTES = 0.9 * 64 * 1024 * 1024;

    private BucketAlerts() {}

    private static Query limit() {
        return Series.of(Metric.CONNECTIONS_MAX).value().maxBy("bucket");
    }

    private static Query up() {
        return Series.of(Metric.BUCKET_UP).value();
    }

    static List<Alert> all() {
        return List.of(
                new Alert(
                        "ComportaBucketDown",
                        CRITICAL,
                        "1m",
                        up().maxBy("bucket").is(0),
                        "The server of bucket {{ $labels.bucket }} is down",
                        "No instance can reach the server of {{ $labels.bucket }}. Requests wait (when_down: wait) or get error 50003."),
                new Alert(
                        "ComportaBucketUnreachable",
                        WARNING,
                        "2m",
                        up().is(0).whereAlso("bucket", up().is(1)),
                        "Instance {{ $labels.instance }} can't reach bucket {{ $labels.bucket }}",
                        "{{ $labels.instance }} takes the server of {{ $labels.bucket }} for down, and other instances reach it."),
                new Alert(
                        "ComportaBucketFull",
                        WARNING,
                        "5m",
                        Series.of(Metric.BUCKET_FULL).value().maxBy("bucket").is(1),
                        "The server of bucket {{ $labels.bucket }} takes no more connections",
                        "The server of {{ $labels.bucket }} refuses connections because it has as many as it takes. Requests wait, and get error 50004, which quotes the server."),
                new Alert(
                        "ComportaQueueLong",
                        WARNING,
                        "1m",
                        Series.of(Metric.QUEUE_LENGTH).value().sumBy("bucket").above(LONG_QUEUE),
                        "{{ $value }} requests wait for bucket {{ $labels.bucket }}",
                        "{{ $value }} requests wait for a server connection to {{ $labels.bucket }}: the limit is too low for the load, requests are slow, or pinned clients hold connections."),
                new Alert(
                        "ComportaQueueWaitHigh",
                        WARNING,
                        "5m",
                        Series.of(Metric.QUEUE_WAIT)
                                .quantile(0.99, Alerts.WINDOW, "bucket")
                                .above(LONG_WAIT_SECONDS),
                        "Requests wait {{ $value | humanizeDuration }} for bucket {{ $labels.bucket }}",
                        "One request in a hundred to {{ $labels.bucket }} waits {{ $value | humanizeDuration }} or longer for a server connection."),
                new Alert(
                        "ComportaLimitNearlyUsed",
                        WARNING,
                        "15m",
                        Series.of(Metric.CONNECTIONS_ACTIVE)
                                .value()
                                .sumBy("bucket")
                                .per(limit())
                                .above(NEARLY_ALL),
                        "Bucket {{ $labels.bucket }} uses {{ $value | humanizePercentage }} of its limit",
                        "For 15 minutes clients have used more than 90 % of max_connections of {{ $labels.bucket }}. The next peak will wait."),
                new Alert(
                        "ComportaPinsHigh",
                        WARNING,
                        "15m",
                        Series.of(Metric.CONNECTIONS_PINNED)
                                .value()
                                .sumBy("bucket")
                                .per(limit())
                                .above(HALF),
                        "Pinned clients hold {{ $value | humanizePercentage }} of bucket {{ $labels.bucket }}",
                        "For 15 minutes more than half of max_connections of {{ $labels.bucket }} has been kept by clients with an open transaction or another pin, and can't be shared."),
                new Alert(
                        "ComportaConnectionErrors",
                        WARNING,
                        "5m",
                        Series.of(Metric.CONNECTION_ERRORS)
                                .rate(Alerts.WINDOW)
                                .sumBy("bucket", "reason")
                                .above(0),
                        "Server connections of bucket {{ $labels.bucket }} fail ({{ $labels.reason }})",
                        "{{ $value | humanize }} server connections a second to {{ $labels.bucket }} fail: {{ $labels.reason }}."),
                new Alert(
                        "ComportaConnectSlow",
                        WARNING,
                        "10m",
                        Series.of(Metric.CONNECT_DURATION)
                                .quantile(0.99, Alerts.WINDOW, "bucket")
                                .above(SLOW_CONNECT_SECONDS),
                        "Connecting to bucket {{ $labels.bucket }} takes {{ $value | humanizeDuration }}",
                        "One connect in a hundred to the server of {{ $labels.bucket }} takes {{ $value | humanizeDuration }} or longer, login included."),
                new Alert(
                        "ComportaRefillsFail",
                        WARNING,
                        "10m",
                        Series.of(Metric.RESERVOIR_REFILL_FAILURES)
                                .rate(Alerts.WINDOW)
                                .sumBy("bucket")
                                .above(0),
                        "The reservoir of bucket {{ $labels.bucket }} can't be refilled",
                        "{{ $value | humanize }} connections a second for the reservoir of {{ $labels.bucket }} could not be opened."),
                new Alert(
                        "ComportaHealthChecksFail",
                        WARNING,
                        "10m",
                        Series.of(Metric.HEALTH_CHECKS)
                                .with("result", "failure")
                                .rate(Alerts.WINDOW)
                                .sumBy("bucket")
                                .above(0),
                        "Health checks of bucket {{ $labels.bucket }} fail",
                        "{{ $value | humanize }} checks a second of idle connections to {{ $labels.bucket }} fail."),
                new Alert(
                        "ComportaServerTlsFails",
                        WARNING,
                        "2m",
                        Series.of(Metric.SERVER_TLS_HANDSHAKES)
                                .with("result", "failed")
                                .rate(Alerts.WINDOW)
                                .sumBy("bucket")
                                .above(0),
                        "TLS with the server of bucket {{ $labels.bucket }} fails",
                        "{{ $value | humanize }} TLS handshakes a second with the server of {{ $labels.bucket }} fail: its certificate has expired or is not trusted, or its TLS settings changed."),
                new Alert(
                        "ComportaSessionsLinger",
                        WARNING,
                        "",
                        Series.of(Metric.CONNECTIONS_CLOSED)
                                .with("reason", "end_unseen")
                                .increase("15m")
                                .sumBy("bucket")
                                .above(0),
                        "The server of bucket {{ $labels.bucket }} does not end sessions in time",
                        "{{ $value | humanize }} server connections to {{ $labels.bucket }} were given up within 15 minutes without the server having ended their sessions: it may count more sessions than max_connections."),
                new Alert(
                        "ComportaStateReplays",
                        INFO,
                        "30m",
                        Series.of(Metric.STATE_REPLAYS)
                                .rate(Alerts.WINDOW)
                                .sumBy("bucket")
                                .per(Series.of(Metric.QUERY_DURATION)
                                        .observations(Alerts.WINDOW)
                                        .sumBy("bucket"))
                                .above(HALF),
                        "Every other request to bucket {{ $labels.bucket }} costs a second round trip",
                        "Before {{ $value | humanizePercentage }} of the requests to {{ $labels.bucket }} the client's settings have to be applied to another connection: clients of one login use different settings."),
                new Alert(
                        "ComportaPreparedMemoryHigh",
                        WARNING,
                        "15m",
                        Series.of(Metric.PREPARED_BYTES).value().above(PREPARED_BYTES),
                        "Prepared statements of bucket {{ $labels.bucket }} are about to pin clients",
                        "The texts of prepared statements of {{ $labels.bucket }} take {{ $value | humanize1024 }}B on {{ $labels.instance }}; beyond 64 MiB, further statements pin their client."));
    }
}
