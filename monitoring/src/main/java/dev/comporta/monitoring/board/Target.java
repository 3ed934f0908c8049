package dev.comporta.monitoring.board;

import dev.comporta.monitoring.query.Query;

/**
 * One query of a panel.
 *
 * @param legend the legend of each line, with labels as {@code {{bucket}}}; in a table, the heading of the column
 */
record Target(Query query, String legend) {
    Target {
        query.requireShown(legend);
    }
}
