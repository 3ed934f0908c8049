package dev.comporta.ops.metrics;

import java.util.List;

/** A metric as Prometheus is told of it. */
interface Described {
    /** As it is scraped. */
    String id();

    Metric.Type type();

    String help();

    List<String> labels();
}
