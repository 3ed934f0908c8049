package dev.comporta.jdbc.micrometer;

import dev.comporta.jdbc.stats.PoolStatistics;
import dev.comporta.pool.state.CloseReason;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** A pool as a reservoir: {@code dsql_reservoir_…}, with the tag {@code service}. docs/embedded.md has the table. */
public final class ReservoirMetrics implements MeterBinder {
    private static final String PREFIX = "dsql.reservoir.";

    /** These were never in the reservoir: they are among the failed refills, or were not wanted any more. */
    private static final Set<CloseReason> NEVER_OPENED = EnumSet.of(
            CloseReason.CONNECT_FAILED,
            CloseReason.CONNECT_TIMEOUT,
            CloseReason.LOGIN_REJECTED,
            CloseReason.NOT_NEEDED);

    private final String service;
    private final Supplier<PoolStatistics> statistics;

    public ReservoirMetrics(String service, Supplier<PoolStatistics> statistics) {
        this.service = service;
        this.statistics = statistics;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(registry);
    }

    List<Meter> bind(MeterRegistry registry) {
        Meters meters = new Meters(registry, statistics, "service", service);
        meters.gauge(PREFIX + "size", "Ready connections", PoolStatistics::idle);
        meters.counter(PREFIX + "checkouts", "Loans", PoolStatistics::acquires);
        meters.counter(PREFIX + "empty", "Requests that found no ready connection", PoolStatistics::foundNothingReady);
        for (CloseReason reason : EnumSet.complementOf(EnumSet.copyOf(NEVER_OPENED))) {
            meters.counter(
                    PREFIX + "discards",
                    "Connections closed, by reason",
                    s -> s.closed().getOrDefault(reason, 0L),
                    "reason",
                    reason.name().toLowerCase(Locale.ROOT));
        }
        meters.counter(PREFIX + "refills", "Connections opened", PoolStatistics::opened);
        meters.counter(
                PREFIX + "refill.failures", "Connections that could not be opened", PoolStatistics::openFailures);
        return meters.made();
    }
}
