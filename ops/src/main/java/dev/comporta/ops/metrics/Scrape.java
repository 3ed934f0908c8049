package dev.comporta.ops.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the figures of one scrape. Confined to one thread. */
final class Scrape {
    private static final String TOTAL = "_total";
    private static final double NANOS = 1e9;

    /** From the duration of a query in memory to the default of queue_timeout: the range for alerts. */
    private static final List<Double> BOUNDS =
            List.of(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0);

    private final Map<Described, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
    private final Map<Described, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<Described, HistogramSnapshot.Builder> histograms = new LinkedHashMap<>();
    private final Map<Described, SummarySnapshot.Builder> summaries = new LinkedHashMap<>();

    void gauge(Described metric, double value, String... labels) {
        gauges.computeIfAbsent(
                        require(metric, Metric.Type.GAUGE),
                        _ -> GaugeSnapshot.builder().name(metric.id()).help(metric.help()))
                .dataPoint(GaugeDataPointSnapshot.builder()
                        .value(value)
                        .labels(labels(metric, labels))
                        .build());
    }

    void gauge(Described metric, long value, String... labels) {
        gauge(metric, (double) value, labels);
    }

    void gauge(Described metric, boolean value, String... labels) {
        gauge(metric, value ? 1L : 0L, labels);
    }

    void counter(Described metric, double value, String... labels) {
        counters.computeIfAbsent(
                        require(metric, Metric.Type.COUNTER),
                        _ -> CounterSnapshot.builder()
                                // The library adds the suffix that every counter's name has.
                                .name(metric.id().substring(0, metric.id().length() - TOTAL.length()))
                                .help(metric.help()))
                .dataPoint(CounterDataPointSnapshot.builder()
                        .value(value)
                        .labels(labels(metric, labels))
                        .build());
    }

    /** Exact up to 2 to the power of 53, as all values in Prometheus. */
    void counter(Described metric, long value, String... labels) {
        counter(metric, (double) value, labels);
    }

    void histogram(Described metric, dev.comporta.pool.stats.HistogramSnapshot counted, String... labels) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long below = 0;
        for (double bound : BOUNDS) {
            long upToHere = counted.countAtMost((long) (bound * NANOS));
            buckets.bucket(bound, upToHere - below);
            below = upToHere;
        }
        buckets.bucket(Double.POSITIVE_INFINITY, counted.count() - below);
        HistogramDataPointSnapshot.Builder point =
                HistogramDataPointSnapshot.builder().classicHistogramBuckets(buckets.build());
        point.sum(counted.sumNanos() / NANOS);
        point.labels(labels(metric, labels));
        histograms
                .computeIfAbsent(
                        require(metric, Metric.Type.HISTOGRAM),
                        _ -> HistogramSnapshot.builder().name(metric.id()).help(metric.help()))
                .dataPoint(point.build());
    }

    /** The median and the 99th percentile since the start. */
    void summary(Described metric, dev.comporta.pool.stats.HistogramSnapshot counted, String... labels) {
        SummaryDataPointSnapshot point = SummaryDataPointSnapshot.builder()
                .count(counted.count())
                .sum(counted.sumNanos() / NANOS)
                .quantiles(Quantiles.of(quantile(counted, 0.5), quantile(counted, 0.99)))
                .labels(labels(metric, labels))
                .build();
        summaries
                .computeIfAbsent(
                        require(metric, Metric.Type.SUMMARY),
                        _ -> SummarySnapshot.builder().name(metric.id()).help(metric.help()))
                .dataPoint(point);
    }

    private static Quantile quantile(dev.comporta.pool.stats.HistogramSnapshot counted, double share) {
        return new Quantile(share, counted.percentileNanos(share) / NANOS);
    }

    private static Described require(Described metric, Metric.Type type) {
        if (metric.type() != type) {
            throw new IllegalArgumentException(metric.id() + " is a " + metric.type() + ", not a " + type);
        }
        return metric;
    }

    private static Labels labels(Described metric, String... values) {
        return Labels.of(metric.labels(), List.of(values));
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
        histograms.values().forEach(histogram -> all.metricSnapshot(histogram.build()));
        summaries.values().forEach(summary -> all.metricSnapshot(summary.build()));
        return all.build();
    }
}
