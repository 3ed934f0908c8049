package dev.comporta.ops.metrics;

import java.util.List;

/**
 * Other connection pools' names for a {@link Metric}, for dashboards that use those. Exported if configured. A test checks
 * that docs/operations.md has the same table.
 */
public enum Alias implements Described {
    RESERVOIR_SIZE("dsql_reservoir_size{service}", Metric.Type.GAUGE, "proxy_connections_idle"),
    RESERVOIR_CHECKOUTS(
            "dsql_reservoir_checkouts_total{service}",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"acquired\"}"),
    RESERVOIR_EMPTY("dsql_reservoir_empty_total{service}", Metric.Type.COUNTER, "proxy_reservoir_empty_total"),
    RESERVOIR_DISCARDS(
            "dsql_reservoir_discards_total{service, reason}", Metric.Type.COUNTER, "proxy_connections_closed_total"),
    RESERVOIR_REFILLS(
            "dsql_reservoir_refills_total{service}", Metric.Type.COUNTER, "proxy_connect_duration_seconds_count"),
    RESERVOIR_REFILL_FAILURES(
            "dsql_reservoir_refill_failures_total{service}",
            Metric.Type.COUNTER,
            "the sum of proxy_connection_errors_total over the reasons create_failed, login_rejected, login_failed, full, no_credentials"),
    POOL_CONNECTIONS(
            "scratchbird_remote_pool_connections_total{server, state}",
            Metric.Type.GAUGE,
            "proxy_connections_active, proxy_connections_idle"),
    POOL_ACQUIRES(
            "scratchbird_remote_pool_acquires_total{server}",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"acquired\"}"),
    POOL_RELEASES(
            "scratchbird_remote_pool_releases_total{server}",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"released\"}"),
    POOL_TIMEOUTS(
            "scratchbird_remote_pool_timeouts_total{server}",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"timeout\"}"),
    POOL_ERRORS(
            "scratchbird_remote_pool_errors_total{server}",
            Metric.Type.COUNTER,
            "the sum of proxy_connection_errors_total over its reasons"),
    POOL_ACQUIRE_DURATION(
            "scratchbird_remote_pool_acquire_duration_seconds{server}",
            Metric.Type.SUMMARY,
            "proxy_queue_wait_duration_seconds"),
    POOL_HEALTHY("scratchbird_remote_pool_healthy{server}", Metric.Type.GAUGE, "proxy_bucket_up"),
    POOL_HEALTH_CHECKS(
            "scratchbird_remote_pool_health_checks_total{server, result}",
            Metric.Type.COUNTER,
            "proxy_health_checks_total"),
    CONNECTION_QUERIES(
            "scratchbird_remote_connection_queries_total{server}",
            Metric.Type.COUNTER,
            "proxy_query_duration_seconds_count"),
    CONNECTION_QUERY_DURATION(
            "scratchbird_remote_connection_query_duration_seconds{server}",
            Metric.Type.SUMMARY,
            "proxy_query_duration_seconds"),
    CONNECTION_BYTES_SENT(
            "scratchbird_remote_connection_bytes_sent_total{server}",
            Metric.Type.COUNTER,
            "proxy_bytes_total{direction=\"sent\"}"),
    CONNECTION_BYTES_RECEIVED(
            "scratchbird_remote_connection_bytes_received_total{server}",
            Metric.Type.COUNTER,
            "proxy_bytes_total{direction=\"received\"}");

    private final String id;
    private final Metric.Type type;
    private final String same;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> labels;

    Alias(String series, Metric.Type type, String same) {
        this.id = Described.id(series);
        this.type = type;
        this.same = same;
        this.labels = Described.labels(series);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Metric.Type type() {
        return type;
    }

    /** The metric that it is another name for. */
    public String same() {
        return same;
    }

    @Override
    public String help() {
        return "The same as " + same + ".";
    }

    /** The first one is a bucket's id. */
    @Override
    public List<String> labels() {
        return labels;
    }
}
