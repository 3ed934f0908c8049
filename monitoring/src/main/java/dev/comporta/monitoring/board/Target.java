package dev.comporta.monitoring.board;

import dev.comporta.monitoring.query.Query;

/**
 * One query of a panel.
 *
 * @param legend of each line, with labels as {@code {{bucket}}}; of a table, the heading of its column
 */
record Target(Query query, String legend) {
    Target {
        query.requireShown(legend);
    }
}
