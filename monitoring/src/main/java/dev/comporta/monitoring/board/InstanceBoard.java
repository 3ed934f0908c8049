package dev.comporta.monitoring.board;

import static dev.comporta.monitoring.board.BoardFile.STEP;
import static dev.comporta.monitoring.query.Series.SCRAPED;

import dev.comporta.monitoring.board.Board.Row;
import dev.comporta.monitoring.board.Board.Variable;
import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;

/** One instance: its process, its event loops, its clients. */
final class InstanceBoard {
    private static final int TOP = 10;

    private InstanceBoard() {}

    static Board board() {
        return new Board(
                "comporta-instance",
                "Comporta: instance",
                "One instance: its process, its event loops, its clients and its calls to Redis.",
                List.of(new Variable(
                        SCRAPED, "Instance", Series.of(Metric.BUILD_INFO).value(), false)),
                List.of(now(), loops(), process(), clients(), fleet()));
    }

    private static Series of(Metric metric) {
        return Series.of(metric).chosenBy(SCRAPED);
    }

    private static Query sum(Metric gauge) {
        return of(gauge).value().sumBy();
    }

    private static Query max(Metric gauge) {
        return of(gauge).value().maxBy();
    }

    private static Row now() {
        return new Row(
                "Now",
                Panel.stat("Ready", "Whether load balancers may send clients to it.", Unit.YES_OR_NO, max(Metric.READY))
                        .badBelow(1),
                Panel.stat(
                        "Running for",
                        "Since the process was started.",
                        Unit.SECONDS,
                        of(Metric.START_TIME).value().maxBy().age()),
                Panel.count("Clients", "Clients logged in.", sum(Metric.CLIENTS)),
                Panel.count("Active", "Server connections attached to a client.", sum(Metric.CONNECTIONS_ACTIVE)),
                Panel.count("Waiting", "Requests that wait for a server connection.", sum(Metric.QUEUE_LENGTH))
                        .badFrom(100),
                Panel.stat(
                                "File descriptors",
                                "Open, of those allowed.",
                                Unit.SHARE,
                                max(Metric.OPEN_FDS).per(max(Metric.MAX_FDS)))
                        .badFrom(0.8),
                Panel.stat("Redis lost", "Whether calls to Redis fail.", Unit.YES_OR_NO, max(Metric.DEGRADED))
                        .badFrom(1),
                Panel.stat(
                                "Reload failed",
                                "Whether the last reload failed.",
                                Unit.YES_OR_NO,
                                max(Metric.CONFIG_LAST_RELOAD_FAILED))
                        .badFrom(1),
                Panel.stat(
                        "Certificate expires in",
                        "The one that clients see, or the first of its chain.",
                        Unit.SECONDS,
                        of(Metric.CERTIFICATE_EXPIRY).value().minBy().ahead()));
    }

    private static Row loops() {
        return new Row(
                "Event loops",
                Panel.lines("Lag, p99", "How late each loop runs its tasks.", Unit.SECONDS)
                        .line(of(Metric.EVENT_LOOP_LAG).quantile(0.99, STEP, "loop"), "{{loop}}")
                        .badFrom(0.05),
                Panel.heat("Lag", "All loops.", of(Metric.EVENT_LOOP_LAG).buckets(STEP)),
                Panel.lines("Oldest figures", "Above one second, a loop did not answer in time.", Unit.SECONDS)
                        .line(of(Metric.SNAPSHOT_AGE).value().maxBy("bucket").top(TOP), "{{bucket}}")
                        .badFrom(5));
    }

    private static Row process() {
        return new Row(
                "Process",
                Panel.lines("CPU", "Cores in use.", Unit.COUNT)
                        .line(of(Metric.CPU_SECONDS).rate(STEP).sumBy(), "cores"),
                Panel.lines("Memory", "Of the JVM by area, and of the process.", Unit.BYTES)
                        .line(of(Metric.MEMORY_USED).value().maxBy("area"), "{{area}}")
                        .line(max(Metric.RESIDENT_MEMORY), "resident"),
                Panel.lines("Network buffers", "Held by area, and the most direct memory they may take.", Unit.BYTES)
                        .line(of(Metric.BUFFER_MEMORY).value().maxBy("area"), "{{area}}")
                        .line(max(Metric.BUFFER_MEMORY_MAX), "most direct memory"),
                Panel.lines("File descriptors", "Each client and each server connection has one.", Unit.COUNT)
                        .line(max(Metric.OPEN_FDS), "open")
                        .line(max(Metric.MAX_FDS), "most"),
                Panel.lines("Reloads", "Of the configuration, in the last hour, by result.", Unit.COUNT)
                        .line(of(Metric.CONFIG_RELOADS).increase("1h").sumBy("result"), "{{result}}"),
                Panel.states("Version", "The running version.")
                        .line(of(Metric.BUILD_INFO).value().maxBy("version", "java"), "{{version}} on {{java}}"));
    }

    private static Row clients() {
        return new Row(
                "Clients",
                Panel.areas("Clients by bucket", "The buckets with the most.", Unit.COUNT)
                        .line(of(Metric.CLIENTS).value().maxBy("bucket").top(TOP), "{{bucket}}"),
                Panel.lines("Connections refused", "Before the login, by reason.", Unit.PER_SECOND)
                        .line(of(Metric.CONNECTIONS_REFUSED).rate(STEP).sumBy("reason"), "{{reason}}"),
                Panel.lines("Refusals", "Errors of Comporta's own, by reason.", Unit.PER_SECOND)
                        .line(of(Metric.REFUSALS).rate(STEP).sumBy("reason"), "{{reason}}"),
                Panel.lines("TLS handshakes of clients", "By result.", Unit.PER_SECOND)
                        .line(of(Metric.CLIENT_TLS_HANDSHAKES).rate(STEP).sumBy("result"), "{{result}}"),
                Panel.lines("Logins", "By type.", Unit.PER_SECOND)
                        .line(of(Metric.LOGINS).rate(STEP).sumBy("type"), "{{type}}"),
                Panel.lines("Requests", "Of the busiest buckets.", Unit.PER_SECOND)
                        .line(
                                of(Metric.QUERY_DURATION)
                                        .observations(STEP)
                                        .sumBy("bucket")
                                        .top(TOP),
                                "{{bucket}}"));
    }

    private static Row fleet() {
        return new Row(
                "Fleet",
                Panel.lines("Redis calls", "By operation and result.", Unit.PER_SECOND)
                        .line(
                                of(Metric.REDIS_OPERATIONS).rate(STEP).sumBy("operation", "status"),
                                "{{operation}} {{status}}"),
                Panel.lines("Redis latency", "Of the latest call.", Unit.SECONDS)
                        .line(max(Metric.REDIS_LATENCY), "latency")
                        .badFrom(0.25),
                Panel.lines(
                                "Buckets in fallback",
                                "Buckets whose lease has expired because Redis can't be reached.",
                                Unit.COUNT)
                        .line(sum(Metric.FALLBACK_ACTIVE), "buckets")
                        .badFrom(1));
    }
}
