package dev.comporta.app.top;

import dev.comporta.app.admin.ResultTable;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A bucket, as one instance knows it. Percentiles and ages are in milliseconds, and null if there is nothing to measure.
 *
 * @param reason why it is down; empty while it is up
 */
record BucketFigures(
        String bucket,
        State state,
        String reason,
        int clients,
        int active,
        int idle,
        int pinned,
        int waiting,
        int limit,
        double requestsPerSecond,
        @Nullable Double waitP99,
        @Nullable Double queryP99,
        @Nullable Double longestPin,
        @Nullable Double longestTransaction) {

    /** In descending order of severity. */
    enum State {
        DOWN,
        PAUSED,
        /** The store can't be reached: the instance uses its share of the limit only. */
        FALLBACK,
        UP;

        String shown() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static final String QUERY =
            "SELECT server_name, healthy, paused, slots_fallback, unhealthy_reason, clients, active, idle, pinned, waiting,"
                    + " max_connections, requests_per_second, wait_p99_ms, query_p99_ms, longest_pin_ms,"
                    + " longest_transaction_ms FROM sys.remote_pool_stats";

    static BucketFigures of(ResultTable.Row row) {
        return new BucketFigures(
                row.text("server_name"),
                state(row),
                row.text("unhealthy_reason"),
                row.integer("clients"),
                row.integer("active"),
                row.integer("idle"),
                row.integer("pinned"),
                row.integer("waiting"),
                row.integer("max_connections"),
                row.decimal("requests_per_second"),
                row.decimalOrNull("wait_p99_ms"),
                row.decimalOrNull("query_p99_ms"),
                row.decimalOrNull("longest_pin_ms"),
                row.decimalOrNull("longest_transaction_ms"));
    }

    private static State state(ResultTable.Row row) {
        if (!row.bit("healthy")) {
            return State.DOWN;
        }
        if (row.bit("paused")) {
            return State.PAUSED;
        }
        return row.bit("slots_fallback") ? State.FALLBACK : State.UP;
    }
}
