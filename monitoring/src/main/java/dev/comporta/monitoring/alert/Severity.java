package dev.comporta.monitoring.alert;

/** What an alert asks of whom it reaches. */
public enum Severity {
    /** Clients are not served, or soon won't be: wake somebody. */
    CRITICAL,
    /** Something needs a hand, today. */
    WARNING,
    /** Worth knowing. */
    INFO
}
