package dev.comporta.ops.config;

import dev.comporta.ops.config.bucket.BucketConfig;
import dev.comporta.ops.config.bucket.CapacityConfig;
import dev.comporta.ops.config.fleet.FallbackConfig;
import dev.comporta.ops.config.yaml.Section;
import java.util.List;

/** Checks a bucket's numbers for a fleet, in which several instances share them. */
final class FleetChecks {
    private FleetChecks() {}

    static void check(List<Section> sections, List<BucketConfig> buckets, FallbackConfig fallback, String store) {
        int instances = fallback.localLimitDivisor();
        for (int i = 0; i < buckets.size(); i++) {
            CapacityConfig capacity = buckets.get(i).capacity();
            if (fallback.enabled() && capacity.maxConnections() < instances) {
                sections.get(i)
                        .warn(
                                "max_connections",
                                "Without " + store + " an instance may open " + capacity.maxConnections() + " / "
                                        + instances + " = 0 connections to it: its clients would be refused.",
                                "Raise it to " + instances + " or more, or lower fallback.local_limit_divisor.");
            }
            long kept = (long) capacity.minIdle() * instances;
            if (kept > capacity.maxConnections()) {
                sections.get(i)
                        .warn(
                                "min_idle",
                                instances + " instances want to keep " + kept + " connections ready; the limit is "
                                        + capacity.maxConnections() + ".",
                                "Lower it, so that instances don't take slots from each other while idle.");
            }
        }
    }
}
