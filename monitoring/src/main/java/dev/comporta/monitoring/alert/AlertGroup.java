package dev.comporta.monitoring.alert;

import java.util.List;

/** Alerts that are evaluated together. */
public record AlertGroup(String name, List<Alert> alerts) {
    public AlertGroup {
        alerts = List.copyOf(alerts);
    }
}
