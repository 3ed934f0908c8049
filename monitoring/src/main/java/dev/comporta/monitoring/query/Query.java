package dev.comporta.monitoring.query;

import dev.comporta.ops.metrics.Metric;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PromQL expression that knows which metrics it reads and which labels its result has: a label that can't be grouped by,
 * matched on or shown is an error when the files are made, not an alert that never fires. Immutable.
 */
public final class Query {
    /** A label in a text: in Grafana {@code {{bucket}}}, in alerts {@code {{ $labels.bucket }}}. */
    private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*}}");

    /**
     * One use of a metric.
     *
     * @param matched by label, the values that are selected by name
     */
    public record Use(Metric metric, Map<String, List<String>> matched) {
        public Use {
            matched = Map.copyOf(matched);
        }
    }

    private final String text;
    private final Set<String> labels;
    private final Set<Use> uses;
    private final boolean compound;

    Query(String text, Set<String> labels, Set<Use> uses, boolean compound) {
        this.text = text;
        this.labels = Set.copyOf(labels);
        this.uses = Set.copyOf(uses);
        this.compound = compound;
    }

    /** Prometheus' own metric that says whether an instance could be scraped. */
    public static Query up() {
        return new Query("up{job=\"" + Series.JOB + "\"}", Set.of(Series.SCRAPED, "job"), Set.of(), false);
    }

    /** The expression in PromQL. */
    public String text() {
        return text;
    }

    public Set<Use> uses() {
        return uses;
    }

    /** Fails if a text shows a label that the result does not have. */
    public void requireShown(String template) {
        Matcher shown = SHOWN.matcher(template);
        while (shown.find()) {
            requireLabels(List.of(shown.group(1)));
        }
    }

    private void requireLabels(List<String> wanted) {
        if (!labels.containsAll(wanted)) {
            throw new IllegalArgumentException(
                    text + " has the labels " + new TreeSet<>(labels) + ", and not all of " + wanted);
        }
    }

    Query map(String format) {
        return new Query(format.formatted(text), labels, uses, false);
    }

    Query alsoLabelled(String label) {
        Set<String> more = new HashSet<>(labels);
        more.add(label);
        return new Query(text, more, uses, compound);
    }

    Query without(String label) {
        Set<String> fewer = new HashSet<>(labels);
        fewer.remove(label);
        return new Query(text, fewer, uses, compound);
    }

    public Query sumBy(String... by) {
        return aggregate("sum", by);
    }

    public Query maxBy(String... by) {
        return aggregate("max", by);
    }

    public Query minBy(String... by) {
        return aggregate("min", by);
    }

    public Query countBy(String... by) {
        return aggregate("count", by);
    }

    private Query aggregate(String how, String... by) {
        requireLabels(List.of(by));
        String group = by.length == 0 ? "" : " by (" + String.join(", ", by) + ") ";
        return new Query(how + group + "(" + text + ")", Set.of(by), uses, false);
    }

    /** The series with the highest values. */
    public Query top(int count) {
        return map("topk(" + count + ", %s)");
    }

    /** 0 if there are no series: for series that are missing only when their value would be 0. */
    public Query orZero() {
        if (!labels.isEmpty()) {
            throw new IllegalArgumentException(text + " has labels, but vector(0) has none");
        }
        return new Query(inner() + " or vector(0)", labels, uses, true);
    }

    /** 1 if there is no such series. */
    public Query isAbsent() {
        return new Query("absent(" + text + ")", Set.of(), uses, false);
    }

    /** The seconds since this time, which is in seconds since 1970. */
    public Query age() {
        return new Query("time() - " + inner(), labels, uses, true);
    }

    /** The seconds until this time, which is in seconds since 1970. */
    public Query ahead() {
        return new Query(inner() + " - time()", labels, uses, true);
    }

    public Query below(double bound) {
        return compare("<", bound);
    }

    public Query above(double bound) {
        return compare(">", bound);
    }

    public Query is(double value) {
        return compare("==", value);
    }

    private Query compare(String how, double with) {
        String number = BigDecimal.valueOf(with).stripTrailingZeros().toPlainString();
        return new Query(inner() + " " + how + " " + number, labels, uses, true);
    }

    public Query plus(Query other) {
        return combine("+", other);
    }

    public Query minus(Query other) {
        return combine("-", other);
    }

    /** The ratio of this to the other. */
    public Query per(Query other) {
        return combine("/", other);
    }

    /** The series that are greater than the other. */
    public Query above(Query other) {
        return combine(">", other);
    }

    /** The series for which there is no other with the same labels. */
    public Query unless(Query other) {
        return combine("unless", other);
    }

    /** The series for which there is an other with the same value of this label. */
    public Query whereAlso(String label, Query other) {
        requireLabels(List.of(label));
        other.requireLabels(List.of(label));
        return new Query(inner() + " and on (" + label + ") " + other.inner(), labels, both(other), true);
    }

    private Query combine(String how, Query other) {
        if (!labels.equals(other.labels)) {
            throw new IllegalArgumentException(text + " has the labels " + new TreeSet<>(labels) + ", and " + other.text
                    + " has " + new TreeSet<>(other.labels) + ": none would match");
        }
        return new Query(inner() + " " + how + " " + other.inner(), labels, both(other), true);
    }

    private Set<Use> both(Query other) {
        Set<Use> both = new HashSet<>(uses);
        both.addAll(other.uses);
        return both;
    }

    private String inner() {
        return compound ? "(" + text + ")" : text;
    }

    @Override
    public String toString() {
        return text;
    }
}
