package dev.comporta.e2e.deploy;

import dev.comporta.monitoring.alert.Alerts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What is to make each alert fire, and what is not: alert-cases.txt, as promtool's unit tests. */
final class AlertCases {
    /** Of each series one value a minute, from the beginning. */
    private static final String ASKED_AT = "40m";

    record Case(String alert, boolean fires, List<Series> given) {}

    record Series(String name, String values) {}

    private AlertCases() {}

    /** A line is an alert's name; or {@code +} or {@code -} and series with their values, with {@code ;} between them. */
    static List<Case> read() throws IOException {
        List<Case> cases = new ArrayList<>();
        String alert = "";
        try (InputStream text = Objects.requireNonNull(AlertCases.class.getResourceAsStream("alert-cases.txt"))) {
            for (String line : new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                if (Character.isLetter(line.charAt(0))) {
                    alert = line.trim();
                } else {
                    cases.add(new Case(
                            alert,
                            line.trim().startsWith("+"),
                            series(line.trim().substring(1))));
                }
            }
        }
        return cases;
    }

    private static List<Series> series(String text) {
        List<Series> all = new ArrayList<>();
        for (String one : text.split(";")) {
            int end = one.indexOf('}') + 1;
            all.add(new Series(one.substring(0, end).trim(), one.substring(end).trim()));
        }
        return all;
    }

    /**
     * As {@code promtool test rules} reads it. Cases that have no metric in common, neither in what is given nor in what their
     * alerts ask for, do not disturb each other, and are evaluated together: a tenth of the time.
     */
    static String unitTests(List<Case> cases, String rules) {
        StringBuilder out = new StringBuilder("rule_files: ['" + rules + "']\nevaluation_interval: 1m\ntests:\n");
        for (List<Case> batch : batches(cases)) {
            out.append("  - interval: 1m\n    input_series:\n");
            for (Case one : batch) {
                for (Series series : one.given()) {
                    out.append("      - series: '").append(series.name()).append("'\n");
                    out.append("        values: '").append(series.values()).append("'\n");
                }
            }
            out.append("    promql_expr_test:\n");
            for (Case one : batch) {
                out.append("      - expr: 'count(ALERTS{alertname=\"")
                        .append(one.alert())
                        .append("\", alertstate=\"firing\"})'\n        eval_time: ")
                        .append(ASKED_AT)
                        .append('\n');
                out.append(
                        one.fires()
                                ? "        exp_samples: [{labels: '{}', value: 1}]\n"
                                : "        exp_samples: []\n");
            }
        }
        return out.toString();
    }

    private static List<List<Case>> batches(List<Case> cases) {
        List<List<Case>> batches = new ArrayList<>();
        List<Set<String>> taken = new ArrayList<>();
        for (Case one : cases) {
            Set<String> metrics = metrics(one);
            int batch = 0;
            while (batch < batches.size() && !Collections.disjoint(taken.get(batch), metrics)) {
                batch++;
            }
            if (batch == batches.size()) {
                batches.add(new ArrayList<>());
                taken.add(new HashSet<>());
            }
            batches.get(batch).add(one);
            taken.get(batch).addAll(metrics);
        }
        return batches;
    }

    private static Set<String> metrics(Case one) {
        Set<String> metrics = one.given().stream()
                .map(series ->
                        series.name().substring(0, series.name().indexOf('{')).replaceAll("_(bucket|count)$", ""))
                .collect(Collectors.toSet());
        Alerts.all()
                .filter(alert -> alert.name().equals(one.alert()))
                .flatMap(alert -> alert.query().uses().stream())
                .forEach(use -> metrics.add(use.metric().id()));
        return metrics;
    }
}
