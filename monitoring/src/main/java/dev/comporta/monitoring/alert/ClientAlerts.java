package dev.comporta.monitoring.alert;

import static dev.comporta.monitoring.alert.Alerts.rate;
import static dev.comporta.monitoring.alert.Severity.CRITICAL;
import static dev.comporta.monitoring.alert.Severity.WARNING;
import static dev.comporta.monitoring.query.Series.SCRAPED;

import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** Alerts about errors that clients get, at login and later. */
final class ClientAlerts {
    /** Logins or handshakes per second: a lower rate may come from a mistyped password. */
    private static final double SEVERAL = 0.1;

    private static final double A_TENTH = 0.1;

    private ClientAlerts() {}

    private static Query refusals(String... reasons) {
        return rate(Series.of(Metric.REFUSALS).with("reason", reasons), "bucket", "reason");
    }

    private static Query refusedConnections(String... reasons) {
        return rate(Series.of(Metric.CONNECTIONS_REFUSED).with("reason", reasons), SCRAPED, "reason");
    }

    static List<Alert> all() {
        return List.of(
                CRITICAL.alert(
                        "ComportaRequestsRefused",
                        "2m",
                        refusals("queue_timeout", "queue_full", "pool_exhausted", "server_unavailable")
                                .above(0),
                        "Requests to bucket {{ $labels.bucket }} are refused ({{ $labels.reason }})",
                        "{{ $value | humanize }} requests or logins a second to {{ $labels.bucket }} get an error of Comporta's own instead of an answer: {{ $labels.reason }}."),
                WARNING.alert(
                        "ComportaInternalErrors",
                        "",
                        Series.of(Metric.REFUSALS)
                                .with("reason", "internal")
                                .increase("15m")
                                .sumBy("bucket")
                                .above(0),
                        "Comporta has answered with internal errors",
                        "{{ $value | humanize }} clients got error 50000 within 15 minutes (bucket {{ $labels.bucket }}). That is a bug: the log has a line for each."),
                WARNING.alert(
                        "ComportaQueriesTimeOut",
                        "5m",
                        refusals("query_timeout").above(0),
                        "Requests to bucket {{ $labels.bucket }} run into query_timeout",
                        "{{ $value | humanize }} requests a second to {{ $labels.bucket }} are ended because they took longer than query_timeout."),
                WARNING.alert(
                        "ComportaClientsNotRouted",
                        "10m",
                        rate(Series.of(Metric.REFUSALS).with("reason", "no_route"))
                                .above(0),
                        "Clients ask for databases that no bucket has",
                        "{{ $value | humanize }} logins a second get error 50002: no bucket has the database, server name, user or listener of these logins."),
                WARNING.alert(
                        "ComportaLoginsFail",
                        "5m",
                        refusals("login_failed", "login_rejected").above(SEVERAL),
                        "Logins to bucket {{ $labels.bucket }} fail ({{ $labels.reason }})",
                        "{{ $value | humanize }} logins a second to {{ $labels.bucket }} are turned away: {{ $labels.reason }}."),
                WARNING.alert(
                        "ComportaPasswordsGuessed",
                        "1m",
                        refusedConnections("too_many_failed_logins").above(0),
                        "Passwords are being guessed at {{ $labels.instance }}",
                        "{{ $value | humanize }} logins a second are refused at {{ $labels.instance }} without asking the server, because their login has had max_failed_logins wrong passwords."),
                CRITICAL.alert(
                        "ComportaConnectionsRefused",
                        "2m",
                        refusedConnections(
                                        "max_clients",
                                        "too_many_from_address",
                                        "too_many_pending_logins",
                                        "pending_login_bytes",
                                        "no_file_descriptors")
                                .above(0),
                        "Instance {{ $labels.instance }} refuses connections ({{ $labels.reason }})",
                        "{{ $value | humanize }} connections a second are refused at {{ $labels.instance }} because a limit is reached: {{ $labels.reason }}."),
                WARNING.alert(
                        "ComportaProxyHeadersRefused",
                        "2m",
                        refusedConnections(
                                        "untrusted_source",
                                        "untrusted_proxy_header",
                                        "missing_proxy_header",
                                        "bad_proxy_header")
                                .above(0),
                        "Instance {{ $labels.instance }} does not trust a load balancer ({{ $labels.reason }})",
                        "{{ $value | humanize }} connections a second are closed at {{ $labels.instance }}: {{ $labels.reason }}. A load balancer is not in trusted_proxies or sends no PROXY header, or somebody forges one."),
                WARNING.alert(
                        "ComportaClientTlsFails",
                        "10m",
                        rate(Series.of(Metric.CLIENT_TLS_HANDSHAKES).with("result", "failed"), SCRAPED)
                                .per(rate(Metric.CLIENT_TLS_HANDSHAKES, SCRAPED))
                                .above(A_TENTH),
                        "TLS handshakes of clients fail at {{ $labels.instance }}",
                        "{{ $value | humanizePercentage }} of the TLS handshakes with clients of {{ $labels.instance }} fail: they do not trust the certificate, or have no cipher in common."));
    }
}
