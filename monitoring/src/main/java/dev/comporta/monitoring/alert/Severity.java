package dev.comporta.monitoring.alert;

import dev.comporta.monitoring.query.Query;

/** What an alert asks of whom it reaches. */
public enum Severity {
    /** Clients are not served, or soon won't be: wake somebody. */
    CRITICAL,
    /** Something needs a hand, today. */
    WARNING,
    /** Worth knowing. */
    INFO;

    Alert alert(String name, String lasting, Query query, String summary, String description) {
        return new Alert(name, this, lasting, query, summary, description);
    }
}
