package dev.comporta.console.eval.scalar;

import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.Table;
import dev.comporta.console.table.View;
import dev.comporta.console.value.TypedValue;
import java.time.LocalDateTime;
import java.util.Map;

/**
 * Everything that one statement can refer to besides its own text.
 *
 * @param variables by name in lower case, with {@code @}
 * @param tables table variables, likewise
 * @param now in UTC; the same for the whole statement
 * @param snapshots the views that it has read, empty at first: each is read once, however often the statement names it
 */
public record Surroundings(
        Catalog catalog,
        Map<String, TypedValue> variables,
        Map<String, Table> tables,
        SessionFacts session,
        LocalDateTime now,
        Budget budget,
        Map<String, Table> snapshots) {
    public Table read(View view) {
        return snapshots.computeIfAbsent(view.fullName(), _ -> view.read());
    }
}
