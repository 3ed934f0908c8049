package dev.comporta.ops.metrics;

import java.util.List;

/** A metric as Prometheus is told of it. */
interface Described {
    /** As it is scraped. */
    String id();

    Metric.Type type();

    String help();

    List<String> labels();

    /** Of a series as Prometheus writes it, such as {@code proxy_pins{bucket, reason}}. */
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
