package dev.comporta.monitoring.alert;

import dev.comporta.monitoring.query.Query;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One alert. Its name is a heading of docs/runbook.md.
 *
 * @param lasting how long the query has to hold before somebody is told; empty for at once
 * @param summary one line, with the labels that tell where
 * @param description what it means and what the value is
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

    /** As it is called in labels. */
    public String level() {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    /** Its section, as GitHub and others name it in addresses. */
    public String anchor() {
        return name.toLowerCase(Locale.ROOT);
    }
}
