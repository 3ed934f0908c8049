package dev.comporta.jdbc.micrometer;

import dev.comporta.jdbc.stats.PoolStatistics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.Supplier;

/**
 * The figures of a pool under HikariCP's meter names, for which dashboards exist: {@code new PoolMetrics("orders",
 * orders::statistics).bindTo(registry)}. The times are function timers: count and sum, no maximum and no percentiles.
 */
public final class PoolMetrics implements MeterBinder {
    private static final String PREFIX = "hikaricp.connections";

    private final String pool;
    private final Supplier<PoolStatistics> statistics;

    public PoolMetrics(String pool, Supplier<PoolStatistics> statistics) {
        this.pool = pool;
        this.statistics = statistics;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(registry);
    }

    List<Meter> bind(MeterRegistry registry) {
        Meters meters = new Meters(registry, statistics, "pool", pool);
        meters.gauge(PREFIX, "Open connections", PoolStatistics::total);
        meters.gauge(PREFIX + ".active", "Connections in use", PoolStatistics::active);
        meters.gauge(PREFIX + ".idle", "Ready connections", PoolStatistics::idle);
        meters.gauge(PREFIX + ".pending", "Requests in the queue", PoolStatistics::waiting);
        meters.gauge(PREFIX + ".max", "The limit", PoolStatistics::max);
        meters.gauge(PREFIX + ".min", "Ready connections to keep", PoolStatistics::min);
        meters.timer(
                PREFIX + ".acquire",
                "Waiting for a connection",
                PoolStatistics::acquires,
                s -> s.waitTime().sumNanos());
        meters.timer(PREFIX + ".usage", "Using a connection", PoolStatistics::releases, PoolStatistics::usageNanos);
        meters.timer(
                PREFIX + ".creation",
                "Opening a connection",
                s -> s.connectTime().count(),
                s -> s.connectTime().sumNanos());
        meters.counter(PREFIX + ".timeout", "Requests that timed out", PoolStatistics::timeouts);
        return meters.made();
    }
}
