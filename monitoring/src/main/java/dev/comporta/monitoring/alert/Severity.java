package dev.comporta.monitoring.alert;

import dev.comporta.monitoring.query.Query;

/** How urgently somebody must act on an alert. */
public enum Severity {
    /** At once, also at night: clients are not served, or soon won't be. */
    CRITICAL,
    /** Today. */
    WARNING,
    /** Not urgent: for information. */
    INFO;

    Alert alert(String name, String lasting, Query query, String summary, String description) {
        return new Alert(name, this, lasting, query, summary, description);
    }
}
