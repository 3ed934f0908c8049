package dev.comporta.jdbc.micrometer;

import dev.comporta.jdbc.stats.PoolStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

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
        gauge(registry, "", "Open connections", PoolStatistics::total);
        gauge(registry, ".active", "Connections in use", PoolStatistics::active);
        gauge(registry, ".idle", "Ready connections", PoolStatistics::idle);
        gauge(registry, ".pending", "Requests in the queue", PoolStatistics::waiting);
        gauge(registry, ".max", "The limit", PoolStatistics::max);
        gauge(registry, ".min", "Ready connections to keep", PoolStatistics::min);
        timer(
                registry,
                ".acquire",
                "Waiting for a connection",
                PoolStatistics::acquires,
                s -> s.waitTime().sumNanos());
        timer(registry, ".usage", "Using a connection", PoolStatistics::releases, PoolStatistics::usageNanos);
        timer(
                registry,
                ".creation",
                "Opening a connection",
                s -> s.connectTime().count(),
                s -> s.connectTime().sumNanos());
        FunctionCounter.builder(PREFIX + ".timeout", statistics, s -> s.get().timeouts())
                .description("Requests that waited in vain")
                .tag("pool", pool)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String name, String text, ToDoubleFunction<PoolStatistics> value) {
        Gauge.builder(PREFIX + name, statistics, s -> value.applyAsDouble(s.get()))
                .description(text)
                .tag("pool", pool)
                .strongReference(true)
                .register(registry);
    }

    private void timer(
            MeterRegistry registry,
            String name,
            String text,
            ToLongFunction<PoolStatistics> count,
            ToLongFunction<PoolStatistics> nanos) {
        FunctionTimer.builder(
                        PREFIX + name,
                        statistics,
                        s -> count.applyAsLong(s.get()),
                        s -> nanos.applyAsLong(s.get()),
                        TimeUnit.NANOSECONDS)
                .description(text)
                .tag("pool", pool)
                .register(registry);
    }
}
