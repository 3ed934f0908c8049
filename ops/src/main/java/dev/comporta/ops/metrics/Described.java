package dev.comporta.ops.metrics;

import java.util.List;

/** A metric as it is described to Prometheus. */
interface Described {
    /** Its name in a scrape. */
    String id();

    Metric.Type type();

    String help();

    List<String> labels();

    /** The name in a text such as {@code proxy_pins{bucket, reason}}. */
    static String id(String series) {
        return series.replaceFirst("\\{.*", "");
    }

    static List<String> labels(String series) {
        String labels = series.substring(id(series).length());
        return labels.isEmpty()
                ? List.of()
                : List.of(labels.substring(1, labels.length() - 1).split(", ", -1));
    }
}
