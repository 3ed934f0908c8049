package dev.comporta.pool;

import java.util.List;

/**
 * All buckets at one moment, and their sums.
 *
 * @param errors connections that could not be opened, were lost, or failed a check or reset
 */
public record RegistrySnapshot(
        List<BucketSnapshot> buckets,
        int healthy,
        int unhealthy,
        int connections,
        int active,
        int idle,
        int waiting,
        long attached,
        long released,
        long refusals,
        long errors) {
    /** The sums over these; from several threads' registries too. */
    public static RegistrySnapshot of(List<BucketSnapshot> buckets) {
        int healthy = 0;
        int connections = 0;
        int active = 0;
        int idle = 0;
        int waiting = 0;
        long attached = 0;
        long released = 0;
        long refusals = 0;
        long errors = 0;
        for (BucketSnapshot b : buckets) {
            healthy += b.health().state() == HealthState.UP ? 1 : 0;
            connections += b.connections().size();
            active += b.active();
            idle += b.idle();
            waiting += b.waiting();
            attached += b.traffic().attached();
            released += b.traffic().released();
            refusals += b.refusals();
            errors += b.errors();
        }
        return new RegistrySnapshot(
                List.copyOf(buckets),
                healthy,
                buckets.size() - healthy,
                connections,
                active,
                idle,
                waiting,
                attached,
                released,
                refusals,
                errors);
    }
}
