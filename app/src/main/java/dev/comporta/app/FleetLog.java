package dev.comporta.app;

import dev.comporta.ops.watch.InstanceTable;
import dev.comporta.ops.watch.Observation;
import dev.comporta.ops.watch.Observation.DataPlaneSight;
import dev.comporta.ops.watch.Observation.Phase;
import dev.comporta.ops.watch.Observation.ReloadCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the instances of the fleet whenever one joins, leaves or is degraded. Slots that move between them are not logged:
 * they move all the time, and {@code /instances} shows them.
 */
final class FleetLog implements AutoCloseable {
    private static final Duration LOOKING = Duration.ofSeconds(1);
    private static final Logger log = LoggerFactory.getLogger(FleetLog.class);

    /** A change of this causes a line. */
    private record Standing(String instance, boolean degraded) {}

    private final String instance;
    private final Fleet fleet;
    private final Thread watcher;
    private List<Standing> last = List.of();

    private FleetLog(String instance, Fleet fleet) {
        this.instance = instance;
        this.fleet = fleet;
        watcher = Thread.ofVirtual().name("fleet-log").unstarted(this::lookOut);
    }

    static FleetLog start(String instance, Fleet fleet) {
        FleetLog started = new FleetLog(instance, fleet);
        started.watcher.start();
        return started;
    }

    private void lookOut() {
        try {
            while (true) {
                Thread.sleep(LOOKING);
                look();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        InstanceTable table = InstanceTable.of(new Observation(
                Instant.now(),
                Phase.RUNNING,
                instance,
                Duration.ZERO,
                List.of(),
                Optional.of(fleet.sight()),
                ReloadCounts.NONE,
                DataPlaneSight.NONE));
        List<Standing> now = table.rows().stream()
                .map(row -> new Standing(row.instance(), row.degraded()))
                .toList();
        if (!now.equals(last)) {
            last = now;
            log.info(
                    "instances: {}",
                    table.rows().stream().map(FleetLog::describe).collect(Collectors.joining(", ")));
        }
    }

    private static String describe(InstanceTable.Row row) {
        return "%s%s with %d slots%s"
                .formatted(
                        row.instance(),
                        row.self() ? " (this one)" : "",
                        row.held(),
                        row.degraded() ? row.self() ? ", can't reach the lease store" : ", heartbeat overdue" : "");
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
