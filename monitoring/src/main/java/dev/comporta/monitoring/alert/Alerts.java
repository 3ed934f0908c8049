package dev.comporta.monitoring.alert;

import dev.comporta.monitoring.query.Query;
import dev.comporta.monitoring.query.Series;
import dev.comporta.ops.metrics.Metric;
import java.util.List;
import java.util.stream.Stream;

/** All alerts. */
public final class Alerts {
    /** The window of rates: twenty scrapes of 15 s, so that a missed scrape does not matter. */
    static final String WINDOW = "5m";

    private Alerts() {}

    public static List<AlertGroup> groups() {
        return List.of(
                new AlertGroup("comporta-instances", InstanceAlerts.all()),
                new AlertGroup("comporta-fleet", FleetAlerts.all()),
                new AlertGroup("comporta-buckets", BucketAlerts.all()),
                new AlertGroup("comporta-clients", ClientAlerts.all()));
    }

    static Query value(Metric gauge) {
        return Series.of(gauge).value();
    }

    static Query rate(Metric counter, String... by) {
        return rate(Series.of(counter), by);
    }

    static Query rate(Series counter, String... by) {
        return counter.rate(WINDOW).sumBy(by);
    }

    static Query p99(Metric histogram, String... by) {
        return Series.of(histogram).quantile(0.99, WINDOW, by);
    }

    public static Stream<Alert> all() {
        return groups().stream().flatMap(group -> group.alerts().stream());
    }
}
