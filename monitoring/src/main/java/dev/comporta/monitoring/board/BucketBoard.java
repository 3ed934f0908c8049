package dev.comporta.monitoring.board;

import static dev.comporta.monitoring.board.BoardFile.STEP;
import static dev.comporta.monitoring.query.Series.EXPORTED;
import static dev.comporta.monitoring.query.Series.SCRAPED;

import dev.comporta.monitoring.board.Board.Row;
import dev.comporta.monitoring.board.Board.Variable;
import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** One bucket: its server, queue, requests, and how well its connections are shared. */
final class BucketBoard {
    private BucketBoard() {}

    static Board board() {
        return new Board(
                "comporta-bucket",
                "Comporta: bucket",
                "One bucket: its server, its queue, its requests, and how well its connections are shared.",
                List.of(
                        new Variable(
                                "bucket", "Bucket", Series.of(Metric.BUCKET_UP).value(), false),
                        new Variable(
                                "instance",
                                "Instance",
                                Series.of(Metric.BUCKET_UP).value(),
                                true)),
                List.of(now(), connections(), queue(), requests(), sharing(), logins(), fleet()));
    }

    /** The metric's series of the chosen bucket and instances. */
    private static Series of(Metric metric) {
        return Series.of(metric).chosenBy("bucket").chosenBy(SCRAPED);
    }

    private static Query sum(Metric gauge) {
        return of(gauge).value().sumBy();
    }

    private static Query rateBy(Metric counter, String... by) {
        return of(counter).rate(STEP).sumBy(by);
    }

    private static Panel quantiles(String title, String description, Metric histogram) {
        return Panel.lines(title, description, Unit.SECONDS)
                .line(of(histogram).quantile(0.5, STEP), "p50")
                .line(of(histogram).quantile(0.95, STEP), "p95")
                .line(of(histogram).quantile(0.99, STEP), "p99");
    }

    private static Query limit() {
        return of(Metric.CONNECTIONS_MAX).value().maxBy();
    }

    private static Row now() {
        return new Row(
                "Now",
                Panel.stat(
                                "Server up",
                                "Whether every chosen instance considers the server up.",
                                Unit.YES_OR_NO,
                                of(Metric.BUCKET_UP).value().minBy())
                        .badBelow(1),
                Panel.count("Clients", "Clients logged in.", sum(Metric.CLIENTS)),
                Panel.count("Active", "Server connections attached to a client.", sum(Metric.CONNECTIONS_ACTIVE)),
                Panel.count("Idle", "Server connections ready for a client.", sum(Metric.CONNECTIONS_IDLE)),
                Panel.count("Pinned", "Server connections that their clients keep.", sum(Metric.CONNECTIONS_PINNED)),
                Panel.count("Waiting", "Requests that wait for a server connection.", sum(Metric.QUEUE_LENGTH))
                        .badFrom(100),
                Panel.count("Limit", "max_connections, over all instances.", limit()),
                Panel.stat(
                                "Limit in use",
                                "Active connections, as a share of the limit.",
                                Unit.SHARE,
                                sum(Metric.CONNECTIONS_ACTIVE).per(limit()))
                        .badFrom(0.9));
    }

    private static Row connections() {
        return new Row(
                "Server connections",
                Panel.areas("By state", "All server connections, by state.", Unit.COUNT)
                        .line(of(Metric.CONNECTIONS_IN_STATE).value().sumBy("state"), "{{state}}"),
                Panel.areas("By instance", "Active connections of each instance.", Unit.COUNT)
                        .line(of(Metric.CONNECTIONS_ACTIVE).value().sumBy(SCRAPED), "{{instance}}"),
                quantiles(
                        "Connect duration",
                        "Time to open a server connection, login included.",
                        Metric.CONNECT_DURATION),
                Panel.lines("Closed", "Server connections closed, by reason.", Unit.PER_SECOND)
                        .line(rateBy(Metric.CONNECTIONS_CLOSED, "reason"), "{{reason}}"),
                Panel.lines("Errors", "Server connections that failed, by reason.", Unit.PER_SECOND)
                        .line(rateBy(Metric.CONNECTION_ERRORS, "reason"), "{{reason}}"),
                Panel.lines("Reservoir", "Connections opened ahead of need, and what went wrong.", Unit.PER_SECOND)
                        .line(rateBy(Metric.RESERVOIR_REFILLS), "refilled")
                        .line(rateBy(Metric.RESERVOIR_REFILL_FAILURES), "failed")
                        .line(rateBy(Metric.RESERVOIR_EMPTY), "found empty"),
                Panel.states("Server up", "As each instance sees it.")
                        .line(of(Metric.BUCKET_UP).value().minBy(SCRAPED), "{{instance}}")
                        .badBelow(1),
                Panel.states(
                                "Server full",
                                "Whether the server has room for another connection, as each instance sees it.")
                        .line(of(Metric.BUCKET_FULL).value().maxBy(SCRAPED), "{{instance}}")
                        .badFrom(1),
                Panel.lines("Health checks", "Of idle connections, by result.", Unit.PER_SECOND)
                        .line(rateBy(Metric.HEALTH_CHECKS, "result"), "{{result}}"),
                Panel.lines("TLS handshakes with the server", "By result.", Unit.PER_SECOND)
                        .line(rateBy(Metric.SERVER_TLS_HANDSHAKES, "result"), "{{result}}"));
    }

    private static Row queue() {
        return new Row(
                "Queue",
                Panel.areas("Waiting requests", "By instance.", Unit.COUNT)
                        .line(of(Metric.QUEUE_LENGTH).value().sumBy(SCRAPED), "{{instance}}"),
                quantiles("Wait", "Queue time of requests that got a connection.", Metric.QUEUE_WAIT),
                quantiles(
                        "Wait, refused or cancelled",
                        "Queue time of refused and cancelled requests.",
                        Metric.QUEUE_WAIT_IN_VAIN),
                Panel.heat(
                        "Wait, all requests",
                        "How many requests waited for how long.",
                        of(Metric.QUEUE_WAIT).buckets(STEP)),
                Panel.lines("Results", "What became of requests for a connection.", Unit.PER_SECOND)
                        .line(rateBy(Metric.CONNECTIONS_TOTAL, "status"), "{{status}}"),
                Panel.lines("Refusals", "Errors that clients got from Comporta, by reason.", Unit.PER_SECOND)
                        .line(rateBy(Metric.REFUSALS, "reason"), "{{reason}}"));
    }

    private static Row requests() {
        return new Row(
                "Requests",
                Panel.areas("Requests", "Answered by the server, by instance.", Unit.PER_SECOND)
                        .line(of(Metric.QUERY_DURATION).observations(STEP).sumBy(SCRAPED), "{{instance}}"),
                quantiles("Duration", "From sending a request to the end of its response.", Metric.QUERY_DURATION),
                quantiles(
                        "First byte",
                        "From sending a request to the first packet of its response.",
                        Metric.TIME_TO_FIRST_BYTE),
                Panel.heat(
                        "Duration, all requests",
                        "How many requests took how long.",
                        of(Metric.QUERY_DURATION).buckets(STEP)),
                Panel.lines("Bytes", "TDS bytes to and from the server.", Unit.BYTES_PER_SECOND)
                        .line(rateBy(Metric.BYTES, "direction"), "{{direction}}"),
                Panel.lines("TDS packets", "By direction and type.", Unit.PER_SECOND)
                        .line(rateBy(Metric.TDS_PACKETS, "direction", "type"), "{{direction}} {{type}}"),
                Panel.lines("Slow requests", "Requests that took as long as slow_request.", Unit.PER_SECOND)
                        .line(rateBy(Metric.SLOW_REQUESTS, SCRAPED), "{{instance}}"));
    }

    private static Row sharing() {
        return new Row(
                "Sharing",
                Panel.lines("Pins", "Clients that had to keep their connection, by reason.", Unit.PER_SECOND)
                        .line(rateBy(Metric.PINS, "reason"), "{{reason}}"),
                Panel.lines(
                                "Connections kept by pins",
                                "On average, from the duration of pins that ended, by reason.",
                                Unit.COUNT)
                        .line(rateBy(Metric.PINNED_SECONDS, "reason"), "{{reason}}"),
                Panel.lines("Resets", "Of server sessions, by kind.", Unit.PER_SECOND)
                        .line(rateBy(Metric.RESETS, "type"), "{{type}}"),
                Panel.lines("Round trips added", "By reason.", Unit.PER_SECOND)
                        .line(rateBy(Metric.OWN_ROUND_TRIPS, "reason"), "{{reason}}")
                        .line(rateBy(Metric.STATE_REPLAYS), "requests with settings applied first"),
                Panel.lines("Prepared executions", "By handle, or with the text again.", Unit.PER_SECOND)
                        .line(rateBy(Metric.PREPARED_EXECUTIONS, "way"), "{{way}}")
                        .line(rateBy(Metric.PREPARED_AGAIN), "prepared again")
                        .line(rateBy(Metric.PREPARED_PINNING), "pinning"),
                Panel.lines("Prepared statements", "Different texts.", Unit.COUNT)
                        .line(of(Metric.PREPARED_TEXTS).value().maxBy(SCRAPED), "{{instance}}"),
                Panel.lines("Memory of prepared statements", "Of their texts; 64 MiB is the most.", Unit.BYTES)
                        .line(of(Metric.PREPARED_BYTES).value().maxBy(SCRAPED), "{{instance}}"));
    }

    private static Row logins() {
        return new Row(
                "Logins",
                Panel.areas("Clients", "By instance.", Unit.COUNT)
                        .line(of(Metric.CLIENTS).value().sumBy(SCRAPED), "{{instance}}"),
                Panel.lines("Logins", "Known ones cost the server nothing.", Unit.PER_SECOND)
                        .line(rateBy(Metric.LOGINS, "type"), "{{type}}"));
    }

    private static Row fleet() {
        return new Row(
                "Fleet",
                Panel.areas("Slots", "Held by each instance.", Unit.COUNT)
                        .line(of(Metric.SLOTS_HELD).value().maxBy(EXPORTED), "{{exported_instance}}"),
                Panel.lines("Slots waited for", "By each instance.", Unit.COUNT)
                        .line(of(Metric.SLOTS_WAITING).value().maxBy(EXPORTED), "{{exported_instance}}"),
                Panel.lines("Limit", "As configured by each instance, and in force.", Unit.COUNT)
                        .line(of(Metric.CONNECTIONS_MAX).value().maxBy(SCRAPED), "{{instance}}")
                        .line(of(Metric.SLOTS_LIMIT).value().minBy(), "in force"),
                Panel.states(
                                "Fallback and disputes",
                                "1 while the lease has expired because Redis can't be reached; 1 while limits differ.")
                        .line(of(Metric.FALLBACK_ACTIVE).value().maxBy(SCRAPED), "fallback of {{instance}}")
                        .line(of(Metric.SLOTS_LIMIT_DISPUTED).value().maxBy(), "limit disputed")
                        .badFrom(1));
    }
}
