package dev.comporta.ops.watch;

import dev.comporta.lease.LeaseView;
import dev.comporta.ops.watch.Observation.BucketSight;
import dev.comporta.ops.watch.Observation.FleetSight;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The instances of the fleet and the slots they hold, as far as this instance knows.
 *
 * @param rows by their names
 */
public record InstanceTable(List<Row> rows) {
    public InstanceTable {
        rows = List.copyOf(rows);
    }

    /**
     * An instance.
     *
     * @param self whether it is this instance
     * @param heard the time of its last heartbeat; absent before the first one, and for an instance without a fleet
     * @param degraded for this instance: it can't reach the store; for another one: its heartbeat is overdue
     */
    public record Row(
            String instance, boolean self, Optional<Instant> heard, boolean degraded, List<Holding> holdings) {
        public Row {
            holdings = List.copyOf(holdings);
        }

        public int held() {
            return holdings.stream().mapToInt(Holding::held).sum();
        }
    }

    /** An instance's slots of one bucket. */
    public record Holding(String bucket, int held, int waiting, int idle) {}

    public static InstanceTable of(Observation seen) {
        return seen.fleet().map(fleet -> shared(seen, fleet)).orElseGet(() -> alone(seen));
    }

    private static InstanceTable alone(Observation seen) {
        List<Holding> holdings = new ArrayList<>();
        for (BucketSight bucket : seen.buckets()) {
            holdings.add(new Holding(
                    bucket.id(),
                    bucket.pool().slots().held(),
                    bucket.pool().slots().inLine(),
                    bucket.pool().idle()));
        }
        return new InstanceTable(List.of(new Row(seen.instance(), true, Optional.empty(), false, holdings)));
    }

    private static InstanceTable shared(Observation seen, FleetSight fleet) {
        Map<String, List<Holding>> holdings = new TreeMap<>();
        Map<String, Duration> silences = new TreeMap<>();
        Map<String, Duration> whenAsked = new TreeMap<>();
        holdings.put(seen.instance(), new ArrayList<>());
        for (LeaseView lease : fleet.leases()) {
            // This instance's own books are newer than the store's last answer about them.
            holdings.get(seen.instance())
                    .add(new Holding(lease.bucket(), lease.held(), lease.waiting(), idle(seen, lease)));
            if (!lease.sinceHeartbeat().isNegative()) {
                silences.merge(seen.instance(), lease.sinceHeartbeat(), InstanceTable::shorter);
            }
            for (LeaseView.Holder other : lease.fleet()) {
                if (!other.instance().equals(seen.instance())) {
                    holdings.computeIfAbsent(other.instance(), _ -> new ArrayList<>())
                            .add(new Holding(lease.bucket(), other.held(), other.waiting(), other.idle()));
                    Duration silence = fleet.timeToLive().minus(other.left());
                    whenAsked.merge(other.instance(), silence, InstanceTable::shorter);
                    silences.merge(other.instance(), silence.plus(lease.sinceHeartbeat()), InstanceTable::shorter);
                }
            }
        }
        List<Row> rows = new ArrayList<>();
        holdings.forEach((instance, held) -> {
            boolean self = instance.equals(seen.instance());
            boolean degraded =
                    self ? fleet.isDegraded() : isOverdue(whenAsked.getOrDefault(instance, Duration.ZERO), fleet);
            Optional<Duration> silence = Optional.ofNullable(silences.get(instance));
            rows.add(new Row(instance, self, silence.map(seen.at()::minus), degraded, held));
        });
        return new InstanceTable(rows);
    }

    /**
     * Compares the age that its last heartbeat had when the store was last asked. The time since then does not count: this
     * instance asks once in an interval, so a healthy instance would seem up to two intervals old.
     */
    private static boolean isOverdue(Duration whenAsked, FleetSight fleet) {
        return whenAsked.compareTo(fleet.heartbeatInterval().multipliedBy(2)) > 0;
    }

    private static int idle(Observation seen, LeaseView lease) {
        return seen.buckets().stream()
                .filter(bucket -> bucket.id().equals(lease.bucket()))
                .mapToInt(bucket -> bucket.pool().idle())
                .sum();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
