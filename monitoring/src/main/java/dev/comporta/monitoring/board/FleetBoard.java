package dev.comporta.monitoring.board;

import static dev.comporta.monitoring.board.BoardFile.STEP;
import static dev.comporta.monitoring.query.Series.EXPORTED;
import static dev.comporta.monitoring.query.Series.SCRAPED;

import dev.comporta.monitoring.board.Board.Row;
import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** All instances and all buckets together: where to look first. */
final class FleetBoard {
    private static final int TOP = 10;

    private FleetBoard() {}

    static Board board() {
        return new Board(
                "comporta-fleet",
                "Comporta: fleet",
                "All instances and all buckets together: where to look first.",
                List.of(),
                List.of(now(), buckets(), traffic(), problems(), fleet()));
    }

    private static Query value(Metric gauge) {
        return Series.of(gauge).value();
    }

    private static Query sum(Metric gauge) {
        return value(gauge).sumBy();
    }

    private static Query byBucket(Metric gauge) {
        return value(gauge).sumBy("bucket");
    }

    private static Query rateBy(Metric counter, String... by) {
        return Series.of(counter).rate(STEP).sumBy(by);
    }

    private static Query topP99(Metric histogram) {
        return Series.of(histogram).quantile(0.99, STEP, "bucket").top(TOP);
    }

    private static Query requests() {
        return Series.of(Metric.QUERY_DURATION).observations(STEP);
    }

    private static Query bucketsAt(int value, Metric gauge) {
        return value(gauge).maxBy("bucket").is(value).countBy().orZero();
    }

    private static Query limits() {
        return value(Metric.CONNECTIONS_MAX).maxBy("bucket");
    }

    private static Row now() {
        return new Row(
                "Now",
                Panel.count(
                        "Instances up",
                        "Instances that Prometheus can scrape.",
                        Query.up().sumBy()),
                Panel.count(
                                "Instances ready",
                                "Instances that load balancers may send clients to.",
                                sum(Metric.READY).orZero())
                        .badBelow(1),
                Panel.count("Clients", "Clients logged in.", sum(Metric.CLIENTS)),
                Panel.stat(
                        "Requests",
                        "Requests answered by servers.",
                        Unit.PER_SECOND,
                        requests().sumBy()),
                Panel.count(
                        "Server connections",
                        "Active and idle server connections of all buckets.",
                        sum(Metric.CONNECTIONS_ACTIVE).plus(sum(Metric.CONNECTIONS_IDLE))),
                Panel.count("Waiting", "Requests that wait for a server connection.", sum(Metric.QUEUE_LENGTH))
                        .badFrom(100),
                Panel.count(
                                "Buckets down",
                                "Buckets whose server no instance can reach.",
                                bucketsAt(0, Metric.BUCKET_UP))
                        .badFrom(1),
                Panel.count(
                                "Buckets in fallback",
                                "Buckets for which at least one instance has lost Redis and its lease.",
                                bucketsAt(1, Metric.FALLBACK_ACTIVE))
                        .badFrom(1));
    }

    private static Row buckets() {
        return new Row(
                "Buckets",
                Panel.table("Buckets", "All buckets; sort by a column. The bucket's name leads to its dashboard.")
                        .line(byBucket(Metric.QUEUE_LENGTH), "waiting")
                        .line(byBucket(Metric.CONNECTIONS_ACTIVE), "active")
                        .line(byBucket(Metric.CONNECTIONS_IDLE), "idle")
                        .line(byBucket(Metric.CONNECTIONS_PINNED), "pinned")
                        .line(limits(), "limit")
                        .line(byBucket(Metric.CLIENTS), "clients")
                        .line(value(Metric.BUCKET_UP).maxBy("bucket"), "up"),
                Panel.bars("Limit in use", "Active server connections of max_connections, highest first.", Unit.SHARE)
                        .line(byBucket(Metric.CONNECTIONS_ACTIVE).per(limits()).top(TOP), "{{bucket}}")
                        .badFrom(0.9),
                Panel.lines("Waiting requests", "The longest queues.", Unit.COUNT)
                        .line(byBucket(Metric.QUEUE_LENGTH).top(TOP), "{{bucket}}")
                        .badFrom(100),
                Panel.lines(
                                "Queue wait, p99",
                                "Of the requests that got a connection; the buckets with the longest.",
                                Unit.SECONDS)
                        .line(topP99(Metric.QUEUE_WAIT), "{{bucket}}")
                        .badFrom(1));
    }

    private static Row traffic() {
        return new Row(
                "Traffic",
                Panel.areas("Requests by instance", "Requests answered by servers.", Unit.PER_SECOND)
                        .line(requests().sumBy(SCRAPED), "{{instance}}"),
                Panel.lines("Requests by bucket", "The busiest buckets.", Unit.PER_SECOND)
                        .line(requests().sumBy("bucket").top(TOP), "{{bucket}}"),
                Panel.lines(
                                "Request duration",
                                "From sending a request to the end of its response, all buckets.",
                                Unit.SECONDS)
                        .line(Series.of(Metric.QUERY_DURATION).quantile(0.5, STEP), "p50")
                        .line(Series.of(Metric.QUERY_DURATION).quantile(0.95, STEP), "p95")
                        .line(Series.of(Metric.QUERY_DURATION).quantile(0.99, STEP), "p99"),
                Panel.areas("Clients by instance", "Clients logged in.", Unit.COUNT)
                        .line(value(Metric.CLIENTS).sumBy(SCRAPED), "{{instance}}"),
                Panel.areas("Server connections", "Of all buckets, by state.", Unit.COUNT)
                        .line(value(Metric.CONNECTIONS_IN_STATE).sumBy("state"), "{{state}}"),
                Panel.lines("Bytes", "TDS bytes to and from servers, without TLS.", Unit.BYTES_PER_SECOND)
                        .line(rateBy(Metric.BYTES, "direction"), "{{direction}}"));
    }

    private static Row problems() {
        return new Row(
                "Problems",
                Panel.areas(
                                "Refusals",
                                "Errors that Comporta answered instead of the server, by reason.",
                                Unit.PER_SECOND)
                        .line(rateBy(Metric.REFUSALS, "reason"), "{{reason}}"),
                Panel.areas("Connection errors", "Server connections that failed, by reason.", Unit.PER_SECOND)
                        .line(rateBy(Metric.CONNECTION_ERRORS, "reason"), "{{reason}}"),
                Panel.areas(
                                "Connections refused",
                                "Clients turned away before their login, by reason.",
                                Unit.PER_SECOND)
                        .line(rateBy(Metric.CONNECTIONS_REFUSED, "reason"), "{{reason}}"),
                Panel.lines(
                                "Pinned connections",
                                "Clients that keep their connection; the buckets with the most.",
                                Unit.COUNT)
                        .line(byBucket(Metric.CONNECTIONS_PINNED).top(TOP), "{{bucket}}"),
                Panel.lines(
                                "Queue wait, refused or cancelled, p99",
                                "Queue time of refused and cancelled requests.",
                                Unit.SECONDS)
                        .line(topP99(Metric.QUEUE_WAIT_IN_VAIN), "{{bucket}}"),
                Panel.lines("Slow requests", "Requests that took as long as slow_request.", Unit.PER_SECOND)
                        .line(rateBy(Metric.SLOW_REQUESTS, "bucket").top(TOP), "{{bucket}}"));
    }

    private static Row fleet() {
        return new Row(
                "Fleet",
                Panel.states("Heartbeats", "1 while at least one instance sees the heartbeat on time.")
                        .line(value(Metric.INSTANCE_HEARTBEAT).maxBy(EXPORTED), "{{exported_instance}}")
                        .badBelow(1),
                Panel.areas("Slots by instance", "Slots that each instance holds, as the others know it.", Unit.COUNT)
                        .line(
                                value(Metric.SLOTS_HELD)
                                        .maxBy("bucket", EXPORTED)
                                        .sumBy(EXPORTED),
                                "{{exported_instance}}"),
                Panel.lines("Slots waited for", "Slots that each instance asks Redis for.", Unit.COUNT)
                        .line(
                                value(Metric.SLOTS_WAITING)
                                        .maxBy("bucket", EXPORTED)
                                        .sumBy(EXPORTED),
                                "{{exported_instance}}"),
                Panel.lines("Redis calls", "By operation and result.", Unit.PER_SECOND)
                        .line(rateBy(Metric.REDIS_OPERATIONS, "operation", "status"), "{{operation}} {{status}}"),
                Panel.lines("Redis latency", "Of each instance's latest call.", Unit.SECONDS)
                        .line(value(Metric.REDIS_LATENCY).maxBy(SCRAPED), "{{instance}}")
                        .badFrom(0.25),
                Panel.states("Versions", "Instances of each version.")
                        .line(value(Metric.BUILD_INFO).countBy("version", "java"), "{{version}} on {{java}}"));
    }
}
