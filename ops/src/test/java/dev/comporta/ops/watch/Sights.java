package dev.comporta.ops.watch;

import dev.comporta.lease.LeaseOperations;
import dev.comporta.lease.LeaseView;
import dev.comporta.lease.LeaseView.Holder;
import dev.comporta.lease.LeaseView.Standing;
import dev.comporta.ops.config.fleet.LeasesIn;
import dev.comporta.ops.watch.Observation.DataPlaneSight;
import dev.comporta.ops.watch.Observation.FleetSight;
import dev.comporta.ops.watch.Observation.Phase;
import dev.comporta.ops.watch.Observation.ReloadCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Observations that need no instance. */
public final class Sights {
    public static final Instant NOW = Instant.parse("2026-01-15T10:30:00Z");
    public static final Duration INTERVAL = Duration.ofSeconds(10);
    public static final Duration TTL = Duration.ofSeconds(30);

    private Sights() {}

    public static Observation alone(Phase phase) {
        return new Observation(
                NOW, phase, "me", Duration.ZERO, List.of(), Optional.empty(), ReloadCounts.NONE, DataPlaneSight.NONE);
    }

    public static Observation silentFor(Duration silence) {
        return new Observation(
                NOW, Phase.RUNNING, "me", silence, List.of(), Optional.empty(), ReloadCounts.NONE, DataPlaneSight.NONE);
    }

    public static Observation inFleet(boolean fallback, LeaseView... leases) {
        FleetSight fleet =
                new FleetSight(LeasesIn.REDIS, fallback, INTERVAL, TTL, List.of(leases), new LeaseOperations());
        return new Observation(
                NOW,
                Phase.RUNNING,
                "me",
                Duration.ZERO,
                List.of(),
                Optional.of(fleet),
                ReloadCounts.NONE,
                DataPlaneSight.NONE);
    }

    /** A lease about which the store last answered a second ago. */
    public static LeaseView lease(String bucket, Standing standing, Holder... fleet) {
        return new LeaseView(bucket, standing, 3, 1, 9, 0, Duration.ofSeconds(1), List.of(fleet));
    }

    public static Holder holder(String instance, int held, Duration left) {
        return new Holder(instance, held, 0, 0, 9, left);
    }
}
