package dev.comporta.app.recent;

import dev.comporta.pool.stats.HistogramSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A bucket's recent figures. A percentile is null if there were no requests.
 *
 * @param waitP50 of requests that got a server connection; requests that got one at once count as 0
 */
public record RecentFigures(
        double requestsPerSecond,
        @Nullable Duration waitP50,
        @Nullable Duration waitP99,
        @Nullable Duration queryP99) {
    private static final double MEDIAN = 0.5;
    private static final double NEARLY_ALL = 0.99;

    static RecentFigures of(double requestsPerSecond, HistogramSnapshot waits, HistogramSnapshot queries) {
        return new RecentFigures(
                requestsPerSecond,
                percentile(waits, MEDIAN),
                percentile(waits, NEARLY_ALL),
                percentile(queries, NEARLY_ALL));
    }

    private static @Nullable Duration percentile(HistogramSnapshot of, double share) {
        return of.count() == 0 ? null : Duration.ofNanos(of.percentileNanos(share));
    }
}
