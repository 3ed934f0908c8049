package dev.comporta.ops.metrics;

import java.util.List;

/**
 * Names of other connection pools for what a {@link Metric} tells, for dashboards that know those. Exported on request.
 * docs/operations.md has the same table, and a test that it is the same.
 */
public enum Alias implements Described {
    RESERVOIR_SIZE("dsql_reservoir_size", Metric.Type.GAUGE, "proxy_connections_idle", "service"),
    RESERVOIR_CHECKOUTS(
            "dsql_reservoir_checkouts_total",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"acquired\"}",
            "service"),
    RESERVOIR_EMPTY("dsql_reservoir_empty_total", Metric.Type.COUNTER, "proxy_reservoir_empty_total", "service"),
    RESERVOIR_DISCARDS(
            "dsql_reservoir_discards_total",
            Metric.Type.COUNTER,
            "proxy_connections_closed_total",
            "service",
            "reason"),
    RESERVOIR_REFILLS("dsql_reservoir_refills_total", Metric.Type.COUNTER, "proxy_reservoir_refills_total", "service"),
    RESERVOIR_REFILL_FAILURES(
            "dsql_reservoir_refill_failures_total",
            Metric.Type.COUNTER,
            "proxy_reservoir_refill_failures_total",
            "service"),
    POOL_CONNECTIONS(
            "scratchbird_remote_pool_connections_total",
            Metric.Type.GAUGE,
            "proxy_connections_active, proxy_connections_idle",
            "server",
            "state"),
    POOL_ACQUIRES(
            "scratchbird_remote_pool_acquires_total",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"acquired\"}",
            "server"),
    POOL_RELEASES(
            "scratchbird_remote_pool_releases_total",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"released\"}",
            "server"),
    POOL_TIMEOUTS(
            "scratchbird_remote_pool_timeouts_total",
            Metric.Type.COUNTER,
            "proxy_connections_total{status=\"timeout\"}",
            "server"),
    POOL_ERRORS(
            "scratchbird_remote_pool_errors_total",
            Metric.Type.COUNTER,
            "the sum of proxy_connection_errors_total over its reasons",
            "server"),
    POOL_ACQUIRE_DURATION(
            "scratchbird_remote_pool_acquire_duration_seconds",
            Metric.Type.SUMMARY,
            "proxy_queue_wait_duration_seconds",
            "server"),
    POOL_HEALTHY("scratchbird_remote_pool_healthy", Metric.Type.GAUGE, "proxy_bucket_up", "server"),
    POOL_HEALTH_CHECKS(
            "scratchbird_remote_pool_health_checks_total",
            Metric.Type.COUNTER,
            "proxy_health_checks_total",
            "server",
            "result"),
    CONNECTION_QUERIES(
            "scratchbird_remote_connection_queries_total",
            Metric.Type.COUNTER,
            "proxy_query_duration_seconds_count",
            "server"),
    CONNECTION_QUERY_DURATION(
            "scratchbird_remote_connection_query_duration_seconds",
            Metric.Type.SUMMARY,
            "proxy_query_duration_seconds",
            "server"),
    CONNECTION_BYTES_SENT(
            "scratchbird_remote_connection_bytes_sent_total",
            Metric.Type.COUNTER,
            "proxy_bytes_total{direction=\"sent\"}",
            "server"),
    CONNECTION_BYTES_RECEIVED(
            "scratchbird_remote_connection_bytes_received_total",
            Metric.Type.COUNTER,
            "proxy_bytes_total{direction=\"received\"}",
            "server");

    private final String id;
    private final Metric.Type type;
    private final String same;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> labels;

    Alias(String id, Metric.Type type, String same, String... labels) {
        this.id = id;
        this.type = type;
        this.same = same;
        this.labels = List.of(labels);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Metric.Type type() {
        return type;
    }

    /** What it is another name for. */
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
