package dev.comporta.monitoring.alert;

import java.util.List;

/** Writes alert rules in Prometheus' format. */
public final class AlertFile {
    private AlertFile() {}

    /** @param runbook the address of docs/runbook.md */
    public static String of(List<AlertGroup> groups, String runbook) {
        StringBuilder out = new StringBuilder("""
                # Made by `./comporta monitoring`: change monitoring/…/alert/, not this file.
                # What each alert means and what to do: docs/runbook.md
                groups:
                """);
        for (AlertGroup group : groups) {
            out.append("  - name: ").append(group.name()).append("\n    rules:\n");
            group.alerts().forEach(alert -> append(alert, runbook, out));
        }
        return out.toString();
    }

    private static void append(Alert alert, String runbook, StringBuilder out) {
        out.append("      - alert: ").append(alert.name()).append('\n');
        out.append("        expr: ").append(quoted(alert.query().text())).append('\n');
        if (!alert.lasting().isEmpty()) {
            out.append("        for: ").append(alert.lasting()).append('\n');
        }
        out.append("        labels:\n");
        out.append("          severity: ").append(alert.level()).append('\n');
        out.append("        annotations:\n");
        out.append("          summary: ").append(quoted(alert.summary())).append('\n');
        out.append("          description: ")
                .append(quoted(alert.description()))
                .append('\n');
        out.append("          runbook_url: ")
                .append(quoted(runbook + "#" + alert.anchor()))
                .append('\n');
    }

    /** In single quotes, because expressions contain many double ones. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
