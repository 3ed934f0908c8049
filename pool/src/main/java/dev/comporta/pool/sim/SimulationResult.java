package dev.comporta.pool.sim;

import dev.comporta.pool.state.Refusal;
import dev.comporta.pool.stats.BucketSnapshot;
import dev.comporta.pool.stats.HistogramSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of a simulation.
 *
 * @param buckets one result for each bucket
 * @param events the number of events of any kind
 * @param served calls that got a connection
 * @param refused calls that got none
 * @param waits the waiting times of the calls that got one
 */
public record SimulationResult(
        List<BucketResult> buckets, long events, long served, long refused, HistogramSnapshot waits) {
    /**
     * One bucket.
     *
     * @param utilisation the share of the limit that was in use, over the whole time
     * @param waits the waiting times of the calls that got a connection, those that got it at once included
     * @param mostConnections the most connections that the server saw at the same time
     * @param mostWaiting the most calls that waited at the same time
     * @param opened connections that were opened
     */
    public record BucketResult(
            String id,
            double utilisation,
            long served,
            Map<Refusal, Long> refused,
            HistogramSnapshot waits,
            int mostConnections,
            int mostWaiting,
            long opened) {
        public long refusals() {
            return refused.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    static SimulationResult of(Scenario scenario, List<Server> servers, long events) {
        List<BucketResult> buckets = new ArrayList<>();
        HistogramSnapshot waits = HistogramSnapshot.empty();
        long served = 0;
        long refused = 0;
        for (Server server : servers) {
            BucketResult result = of(scenario, server);
            buckets.add(result);
            waits = waits.plus(result.waits());
            served += result.served();
            refused += result.refusals();
        }
        return new SimulationResult(List.copyOf(buckets), events, served, refused, waits);
    }

    private static BucketResult of(Scenario scenario, Server server) {
        BucketSnapshot snapshot = server.bucket.snapshot();
        double capacity = (double) snapshot.limit() * scenario.duration().toNanos();
        return new BucketResult(
                snapshot.id(),
                snapshot.attachTime().sumNanos() / capacity,
                snapshot.traffic().attached(),
                snapshot.refused(),
                snapshot.waitTime(),
                server.mostConnections,
                server.mostWaiting,
                snapshot.traffic().opened());
    }

    /** A table of all buckets, and their sums below. */
    public String report() {
        StringBuilder out = new StringBuilder(String.format(
                "%-12s %6s %9s %9s %9s %9s %8s %7s %7s  %s%n",
                "bucket", "used", "calls", "wait p50", "wait p99", "max", "waiting", "conns", "opened", "refused"));
        for (BucketResult b : buckets) {
            out.append(String.format(
                    "%-12s %5.1f%% %9d %7.1fms %7.1fms %7.1fms %8d %7d %7d  %s%n",
                    b.id(),
                    100 * b.utilisation(),
                    b.served(),
                    b.waits().percentileNanos(0.5) / 1e6,
                    b.waits().percentileNanos(0.99) / 1e6,
                    b.waits().maxNanos() / 1e6,
                    b.mostWaiting(),
                    b.mostConnections(),
                    b.opened(),
                    refusals(b)));
        }
        out.append(String.format(
                "all: %d calls served, %d refused, wait p50 %.1f ms, p99 %.1f ms, %d events%n",
                served, refused, waits.percentileNanos(0.5) / 1e6, waits.percentileNanos(0.99) / 1e6, events));
        return out.toString();
    }

    private static String refusals(BucketResult b) {
        List<String> reasons = new ArrayList<>();
        b.refused().forEach((why, n) -> {
            if (n > 0) {
                reasons.add(why + " " + n);
            }
        });
        return reasons.isEmpty() ? "-" : String.join(", ", reasons);
    }
}
