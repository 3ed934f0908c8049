package dev.comporta.jdbc.micrometer;

import dev.comporta.jdbc.stats.PoolStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Registers meters of one pool, all with the same tag, and remembers them. A data source has no statistics before its first
 * connection: until then, counters are 0 and gauges are NaN. Not thread-safe.
 */
final class Meters {
    private final MeterRegistry registry;
    private final Supplier<PoolStatistics> statistics;
    private final Tags tags;
    private final List<Meter> made = new ArrayList<>();

    Meters(MeterRegistry registry, Supplier<PoolStatistics> statistics, String tag, String value) {
        this.registry = registry;
        this.statistics = statistics;
        tags = Tags.of(tag, value);
    }

    List<Meter> made() {
        return List.copyOf(made);
    }

    /** Under Prometheus its name ends in {@code _total}. */
    void counter(String name, String description, ToDoubleFunction<PoolStatistics> value, String... more) {
        made.add(FunctionCounter.builder(name, statistics, s -> read(s, value, 0))
                .description(description)
                .tags(tags.and(more))
                .register(registry));
    }

    /** Count and sum, no maximum and no percentiles. */
    void timer(
            String name,
            String description,
            ToLongFunction<PoolStatistics> count,
            ToLongFunction<PoolStatistics> nanos) {
        made.add(FunctionTimer.builder(
                        name,
                        statistics,
                        s -> (long) read(s, count::applyAsLong, 0),
                        s -> read(s, nanos::applyAsLong, 0),
                        TimeUnit.NANOSECONDS)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    void gauge(String name, String description, ToDoubleFunction<PoolStatistics> value, String... more) {
        made.add(Gauge.builder(name, statistics, s -> read(s, value, Double.NaN))
                .description(description)
                .tags(tags.and(more))
                .strongReference(true)
                .register(registry));
    }

    /** Under Prometheus its name ends in {@code _seconds}. */
    void seconds(String name, String description, ToDoubleFunction<PoolStatistics> value, String... more) {
        made.add(Gauge.builder(name, statistics, s -> read(s, value, Double.NaN))
                .description(description)
                .baseUnit("seconds")
                .tags(tags.and(more))
                .strongReference(true)
                .register(registry));
    }

    private static double read(
            Supplier<PoolStatistics> statistics, ToDoubleFunction<PoolStatistics> value, double beforeTheStart) {
        PoolStatistics now;
        try {
            now = statistics.get();
        } catch (IllegalStateException _) {
            return beforeTheStart;
        }
        return value.applyAsDouble(now);
    }
}
