package dev.comporta.monitoring.board;

import dev.comporta.monitoring.query.Query;
import java.util.List;
import java.util.stream.Stream;

/**
 * A dashboard.
 *
 * @param id its address in Grafana, and the name of its file
 * @param variables labels whose values the user chooses
 */
public record Board(String id, String title, String description, List<Variable> variables, List<Row> rows) {
    /** Panels under a heading. */
    record Row(String title, List<Panel> panels) {
        Row(String title, Panel... panels) {
            this(title, List.of(panels));
        }
    }

    /**
     * A label whose values come from a query.
     *
     * @param several whether several values, or all, can be chosen at a time
     */
    record Variable(String label, String title, Query values, boolean several) {
        Variable {
            values.requireShown("{{" + label + "}}");
        }
    }

    public static List<Board> all() {
        return List.of(FleetBoard.board(), BucketBoard.board(), InstanceBoard.board());
    }

    /** All its queries. */
    public Stream<Query> queries() {
        return Stream.concat(
                variables.stream().map(Variable::values),
                rows.stream()
                        .flatMap(row -> row.panels().stream())
                        .flatMap(panel -> panel.targets().stream())
                        .map(Target::query));
    }
}
