package dev.comporta.monitoring.board;

/** How a panel shows its figures, with Grafana's name for it. */
enum Kind {
    STAT("stat"),
    LINES("timeseries"),
    AREAS("timeseries"),
    BARS("bargauge"),
    HEAT("heatmap"),
    STATES("state-timeline"),
    TABLE("table");

    final String id;

    Kind(String id) {
        this.id = id;
    }
}
