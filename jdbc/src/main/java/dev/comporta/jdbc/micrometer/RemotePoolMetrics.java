package dev.comporta.jdbc.micrometer;

import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.pool.stats.HistogramSnapshot;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A pool under the names {@code scratchbird_remote_pool_…} and {@code scratchbird_remote_connection_…}, with the tag
 * {@code server}. docs/embedded.md has the table.
 */
public final class RemotePoolMetrics implements MeterBinder {
    private static final String POOL = "scratchbird.remote.pool.";
    private static final String CONNECTION = "scratchbird.remote.connection.";
    private static final double[] QUANTILES = {0.5, 0.99};

    private final String server;
    private final Supplier<PoolStatistics> statistics;
    private final RecentTimes acquires;
    private final RecentTimes queries;

    public RemotePoolMetrics(String server, Supplier<PoolStatistics> statistics) {
        this(server, statistics, System::nanoTime);
    }

    RemotePoolMetrics(String server, Supplier<PoolStatistics> statistics, LongSupplier nanoClock) {
        this.server = server;
        this.statistics = statistics;
        acquires = new RecentTimes(nanoClock);
        queries = new RecentTimes(nanoClock);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(registry);
    }

    List<Meter> bind(MeterRegistry registry) {
        Meters meters = new Meters(registry, statistics, "server", server);
        pool(meters);
        health(meters);
        queries(meters);
        return meters.made();
    }

    private void pool(Meters meters) {
        // As the name ends in _total, which Prometheus' client takes from a gauge, these are counters that go up and
        // down.
        String connections = "Connections now, by state";
        meters.counter(POOL + "connections", connections, PoolStatistics::active, "state", "active");
        meters.counter(POOL + "connections", connections, PoolStatistics::idle, "state", "idle");
        meters.counter(POOL + "connections", connections, PoolStatistics::failed, "state", "failed");
        meters.counter(POOL + "acquires", "Loans", PoolStatistics::acquires);
        meters.counter(POOL + "releases", "Loans that have ended", PoolStatistics::releases);
        meters.counter(POOL + "timeouts", "Requests that timed out", PoolStatistics::timeouts);
        meters.counter(
                POOL + "errors",
                "Connections that could not be opened, were lost, or failed a check or reset",
                PoolStatistics::errors);
        for (double quantile : QUANTILES) {
            meters.seconds(
                    POOL + "acquire.duration",
                    "Wait for a connection, in the last minute",
                    s -> acquires.percentileSeconds(quantile, s.acquiresWithoutCore(), s.waitTime()),
                    "quantile",
                    Double.toString(quantile));
        }
    }

    private static void health(Meters meters) {
        meters.gauge(POOL + "healthy", "1 while the server is up", s -> s.healthy() ? 1 : 0);
        String checks = "Checks of connections, by result";
        meters.counter(POOL + "health.checks", checks, PoolStatistics::checksPassed, "result", "success");
        meters.counter(POOL + "health.checks", checks, PoolStatistics::checksFailed, "result", "failure");
    }

    /** No meters while {@code collectQueryStats} is off: 0 would be wrong. */
    private void queries(Meters meters) {
        if (isOff()) {
            return;
        }
        meters.counter(
                CONNECTION + "queries",
                "Statements executed",
                s -> s.queryTime() == null ? Double.NaN : s.queryTime().count());
        for (double quantile : QUANTILES) {
            meters.seconds(
                    CONNECTION + "query.duration",
                    "Time until the driver returned from a statement, in the last minute",
                    s -> queries.percentileSeconds(quantile, 0, queryTime(s)),
                    "quantile",
                    Double.toString(quantile));
        }
    }

    /** Unknown until a data source has started: then the meters are made, and show NaN if it is off. */
    private boolean isOff() {
        try {
            return statistics.get().queryTime() == null;
        } catch (IllegalStateException _) {
            return false;
        }
    }

    private static HistogramSnapshot queryTime(PoolStatistics s) {
        return s.queryTime() == null ? HistogramSnapshot.empty() : s.queryTime();
    }
}
