package dev.comporta.console.eval.scalar;

import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.Table;
import dev.comporta.console.table.View;
import dev.comporta.console.value.TypedValue;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.Map;

/** All that one statement sees besides its own text. A view is read once, however often the statement names it. */
public final class Surroundings {
    private final Catalog catalog;
    private final Map<String, TypedValue> variables;
    private final Map<String, Table> tables;
    private final SessionFacts session;
    private final LocalDateTime now;
    private final Budget budget;
    private final Map<String, Table> snapshots = new HashMap<>();

    /**
     * @param variables by name in lower case, with {@code @}
     * @param tables table variables, likewise
     * @param now in UTC; the same for the whole statement
     */
    public Surroundings(
            Catalog catalog,
            Map<String, TypedValue> variables,
            Map<String, Table> tables,
            SessionFacts session,
            LocalDateTime now,
            Budget budget) {
        this.catalog = catalog;
        this.variables = variables;
        this.tables = tables;
        this.session = session;
        this.now = now;
        this.budget = budget;
    }

    public Catalog catalog() {
        return catalog;
    }

    public Map<String, TypedValue> variables() {
        return variables;
    }

    public Map<String, Table> tables() {
        return tables;
    }

    public SessionFacts session() {
        return session;
    }

    public LocalDateTime now() {
        return now;
    }

    public Budget budget() {
        return budget;
    }

    public Table read(View view) {
        return snapshots.computeIfAbsent(view.fullName(), _ -> view.read());
    }
}
