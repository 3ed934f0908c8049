package dev.comporta.ops.health;

import dev.comporta.lease.LeaseView;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.BucketSight;
import dev.comporta.ops.watch.Observation.FleetSight;
import dev.comporta.pool.state.ConnectionState;
import dev.comporta.pool.state.HealthState;
import dev.comporta.pool.stats.BucketSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An instance's health. A database that is down, or a store of slots that can't be reached, makes it degraded and not
 * unhealthy: every other instance would be in the same position, and removing all of them would help nobody.
 *
 * @param message why it is not healthy; empty while it is healthy
 */
public record HealthReport(
        Status status, Instant at, String instance, String phase, String message, List<Component> components) {
    /** Short because a prober repeats a failed probe two or three times before it acts. */
    static final Duration MOST_SILENCE = Duration.ofSeconds(10);

    public HealthReport {
        components = List.copyOf(components);
    }

    /**
     * A server or store that the instance depends on.
     *
     * @param latency of the latest answer; absent before the first one
     * @param message what is wrong; empty when it is healthy
     * @param pool absent if it is not a bucket
     */
    public record Component(
            String name, Status status, Optional<Duration> latency, String message, Optional<PoolFigures> pool) {}

    /**
     * How a bucket's connections are used.
     *
     * @param server the server that they go to now
     */
    public record PoolFigures(
            String bucket,
            String server,
            int clients,
            int active,
            int idle,
            int pinned,
            int max,
            int waiting,
            Duration age) {}

    public static HealthReport of(Observation seen) {
        List<Component> components = new ArrayList<>();
        seen.fleet().ifPresent(fleet -> components.add(store(fleet)));
        seen.buckets().forEach(bucket -> components.add(server(bucket)));
        String unfit = whyUnfit(seen);
        boolean degraded = components.stream().anyMatch(component -> component.status() != Status.HEALTHY);
        return new HealthReport(
                unfit.isEmpty() ? degraded ? Status.DEGRADED : Status.HEALTHY : Status.UNHEALTHY,
                seen.at(),
                seen.instance(),
                switch (seen.phase()) {
                    case STARTING -> "starting";
                    case RUNNING -> "running";
                    case DRAINING -> "draining";
                },
                unfit,
                components);
    }

    /**
     * Why an event loop that has been silent for this time counts as stuck; empty if it does not. A busy loop shows activity
     * several times a second, and no garbage collection pauses it for as long as that.
     */
    static String whyNotAlive(Duration silence) {
        return silence.compareTo(MOST_SILENCE) <= 0
                ? ""
                : "an event loop has not run for " + silence.toSeconds() + " s: its buckets are not served. Restart";
    }

    /** Whether clients may be sent here. */
    public boolean isReady() {
        return status != Status.UNHEALTHY;
    }

    private static String whyUnfit(Observation seen) {
        return switch (seen.phase()) {
            case STARTING -> "the first connections are being opened";
            case DRAINING -> "draining: this instance is stopping";
            case RUNNING -> {
                String stuck = whyNotAlive(seen.silence());
                yield stuck.isEmpty()
                        ? seen.fleet().map(HealthReport::whyWithoutSlots).orElse("")
                        : stuck;
            }
        };
    }

    private static String whyWithoutSlots(FleetSight fleet) {
        if (fleet.isSuperseded()) {
            return "another process runs under this instance's name, so this one has no slots. Give each its own instance_id";
        }
        boolean none = !fleet.leases().isEmpty()
                && fleet.leases().stream().allMatch(lease -> lease.standing() == LeaseView.Standing.FALLBACK);
        return none && !fleet.fallback()
                ? fleet.store().title() + " can't be reached, and fallback.enabled is false"
                : "";
    }

    private static Component store(FleetSight fleet) {
        String name = fleet.store().name().toLowerCase(Locale.ROOT);
        Optional<Duration> latency = fleet.operations().latency();
        List<LeaseView> out = fleet.leases().stream()
                .filter(lease -> lease.standing() != LeaseView.Standing.IN_TOUCH)
                .toList();
        if (out.isEmpty()) {
            return new Component(name, Status.HEALTHY, latency, "", Optional.empty());
        }
        boolean superseded = fleet.isSuperseded();
        String message = superseded
                ? "another process runs under this instance's name"
                : fallenBack(out, fleet) + " of " + fleet.leases().size() + " buckets on their fair share, "
                        + out.size() + " without an answer";
        return new Component(
                name, superseded ? Status.UNHEALTHY : Status.DEGRADED, Optional.empty(), message, Optional.empty());
    }

    private static long fallenBack(List<LeaseView> out, FleetSight fleet) {
        return fleet.fallback()
                ? out.stream()
                        .filter(lease -> lease.standing() == LeaseView.Standing.FALLBACK)
                        .count()
                : 0;
    }

    private static String fullSince(BucketSight bucket) {
        BucketSnapshot pool = bucket.pool();
        long seconds = (pool.takenAt() - pool.room().since()) / 1_000_000_000L;
        return "takes no more connections, for " + seconds + " s now: "
                + pool.room().reason();
    }

    private static Component server(BucketSight bucket) {
        BucketSnapshot pool = bucket.pool();
        boolean up = pool.health().state() == HealthState.UP;
        boolean full = pool.room().full();
        long latency = pool.health().latencyNanos();
        return new Component(
                "sqlserver-" + bucket.id(),
                up ? full ? Status.DEGRADED : Status.HEALTHY : Status.UNHEALTHY,
                up && latency >= 0 ? Optional.of(Duration.ofNanos(latency)) : Optional.empty(),
                up ? full ? fullSince(bucket) : "" : pool.health().reason(),
                Optional.of(new PoolFigures(
                        bucket.id(),
                        bucket.server(),
                        bucket.clients(),
                        pool.active(),
                        pool.idle(),
                        pool.count(ConnectionState.PINNED),
                        pool.limit(),
                        pool.waiting(),
                        bucket.age())));
    }
}
