package dev.comporta.monitoring.query;

import dev.comporta.ops.metrics.Metric;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The series of one metric that have certain labels. Selecting by a label that the metric does not have is an error. */
public final class Series {
    /** The instances' job in Prometheus, which distinguishes their process metrics from those of other programs. */
    public static final String JOB = "comporta";

    /** The label with the scraped instance, which Prometheus sets. */
    public static final String SCRAPED = "instance";

    /** A metric's own label {@code instance}, which Prometheus renames: the instance that the value is about. */
    public static final String EXPORTED = "exported_instance";

    private static final String OWN_PREFIX = "proxy_";

    private final Metric metric;
    private final Map<String, Matcher> matchers;

    /** Matches any of the label's values, or those of a dashboard variable. */
    private record Matcher(List<String> values, boolean isVariable) {
        private String text() {
            return isVariable || values.size() > 1
                    ? "=~\"" + String.join("|", values) + "\""
                    : "=\"" + values.getFirst() + "\"";
        }
    }

    private Series(Metric metric, Map<String, Matcher> matchers) {
        this.metric = metric;
        this.matchers = matchers;
    }

    public static Series of(Metric metric) {
        Series all = new Series(metric, Map.of());
        return metric.id().startsWith(OWN_PREFIX) ? all : all.with("job", JOB);
    }

    /** Selects the series whose label has one of these values. */
    public Series with(String label, String... values) {
        return matching(label, new Matcher(List.of(values), false));
    }

    /** Selects the series whose label has the values chosen by the dashboard variable. */
    public Series chosenBy(String label) {
        return matching(label, new Matcher(List.of("$" + label), true));
    }

    private Series matching(String label, Matcher matcher) {
        if (!labels().contains(label)) {
            throw new IllegalArgumentException(metric.id() + " has no label " + label + ", only " + labels());
        }
        Map<String, Matcher> more = new LinkedHashMap<>(matchers);
        more.put(label, matcher);
        return new Series(metric, more);
    }

    private Set<String> labels() {
        return Stream.concat(
                        metric.labels().stream().map(label -> label.equals(SCRAPED) ? EXPORTED : label),
                        Stream.of(SCRAPED, "job"))
                .collect(Collectors.toSet());
    }

    private Query query(String text) {
        Map<String, List<String>> matched = new LinkedHashMap<>();
        matchers.forEach((label, matcher) -> {
            if (!matcher.isVariable()) {
                matched.put(label, matcher.values());
            }
        });
        return new Query(text, labels(), Set.of(new Query.Use(metric, matched)), false);
    }

    private String selector(String suffix) {
        String chosen = matchers.entrySet().stream()
                .map(matcher -> matcher.getKey() + matcher.getValue().text())
                .collect(Collectors.joining(", "));
        return metric.id() + suffix + (chosen.isEmpty() ? "" : "{" + chosen + "}");
    }

    private void require(Metric.Type type) {
        if (metric.type() != type) {
            throw new IllegalArgumentException(metric.id() + " is a " + metric.type() + ", not a " + type);
        }
    }

    /** The value of a gauge. */
    public Query value() {
        require(Metric.Type.GAUGE);
        return query(selector(""));
    }

    /** The highest value of a gauge in the window, including series that have ended. */
    public Query highestIn(String window) {
        require(Metric.Type.GAUGE);
        return query("max_over_time(" + selector("") + "[" + window + "])");
    }

    /** How often the value of a gauge changed in the window. */
    public Query changesIn(String window) {
        require(Metric.Type.GAUGE);
        return query("changes(" + selector("") + "[" + window + "])");
    }

    /** The counter's rate per second. */
    public Query rate(String window) {
        require(Metric.Type.COUNTER);
        return query("rate(" + selector("") + "[" + window + "])");
    }

    /** The counter's increase in the window. */
    public Query increase(String window) {
        require(Metric.Type.COUNTER);
        return query("increase(" + selector("") + "[" + window + "])");
    }

    /** The number of a histogram's observations per second. */
    public Query observations(String window) {
        require(Metric.Type.HISTOGRAM);
        return query("rate(" + selector("_count") + "[" + window + "])");
    }

    /** The histogram's quantile: the value that this share of the observations did not exceed. */
    public Query quantile(double share, String window, String... by) {
        return buckets(window, by).map("histogram_quantile(" + share + ", %s)").without("le");
    }

    /** The histogram's observations per second below each bound, for heat maps. */
    public Query buckets(String window, String... by) {
        require(Metric.Type.HISTOGRAM);
        String[] withBounds = Stream.concat(Stream.of("le"), Stream.of(by)).toArray(String[]::new);
        return query("rate(" + selector("_bucket") + "[" + window + "])")
                .alsoLabelled("le")
                .sumBy(withBounds);
    }
}
