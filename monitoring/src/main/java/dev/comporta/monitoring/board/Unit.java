package dev.comporta.monitoring.board;

/** The unit of a panel's figures, with Grafana's name for it. */
enum Unit {
    COUNT("short"),
    PER_SECOND("ops"),
    BYTES("bytes"),
    BYTES_PER_SECOND("Bps"),
    SECONDS("s"),
    SHARE("percentunit"),
    YES_OR_NO("bool_yes_no");

    final String id;

    Unit(String id) {
        this.id = id;
    }
}
