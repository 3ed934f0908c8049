package dev.comporta.monitoring.alert;

import java.util.List;
import java.util.stream.Stream;

/** Every alert there is. */
public final class Alerts {
    /** Rates are of this time: twenty scrapes of 15 s, so that a scrape that was missed does not matter. */
    static final String WINDOW = "5m";

    private Alerts() {}

    public static List<AlertGroup> groups() {
        return List.of(
                new AlertGroup("comporta-instances", InstanceAlerts.all()),
                new AlertGroup("comporta-fleet", FleetAlerts.all()),
                new AlertGroup("comporta-buckets", BucketAlerts.all()),
                new AlertGroup("comporta-clients", ClientAlerts.all()));
    }

    public static Stream<Alert> all() {
        return groups().stream().flatMap(group -> group.alerts().stream());
    }
}
