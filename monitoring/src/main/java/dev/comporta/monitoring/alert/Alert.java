package dev.comporta.monitoring.alert;

import dev.comporta.monitoring.query.Query;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One alert. Its name is a heading of docs/runbook.md.
 *
 * @param lasting how long the condition must last until the alert fires; empty means at once
 * @param summary one line, with the labels of the instance or bucket concerned
 * @param description the meaning of the alert and of its value
 */
public record Alert(String name, Severity severity, String lasting, Query query, String summary, String description) {
    private static final Pattern NAME = Pattern.compile("Comporta[A-Z]\\w+");
    private static final Pattern DURATION = Pattern.compile("|[1-9]\\d*[smh]");

    public Alert {
        if (!NAME.matcher(name).matches() || !DURATION.matcher(lasting).matches()) {
            throw new IllegalArgumentException(name + " after '" + lasting + "'");
        }
        query.requireShown(summary);
        query.requireShown(description);
    }

    /** The name in labels. */
    public String level() {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    /** The anchor of its section in docs/runbook.md, as GitHub and others make it. */
    public String anchor() {
        return name.toLowerCase(Locale.ROOT);
    }
}
