package dev.comporta.console.eval;

import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns that a name in one SELECT can refer to: those of its sources, then those of the enclosing query. */
final class Scope {
    /**
     * @param name database, schema and view; only the alias where one is given
     * @param offset of the first column in a frame
     */
    record Entry(List<String> name, List<Column> columns, int offset) {
        private boolean answersTo(List<String> qualifier) {
            if (qualifier.size() > name.size()) {
                return false;
            }
            List<String> end = name.subList(name.size() - qualifier.size(), name.size());
            for (int i = 0; i < end.size(); i++) {
                if (!qualifier.get(i).isEmpty() && !end.get(i).equalsIgnoreCase(qualifier.get(i))) {
                    return false;
                }
            }
            return true;
        }

        String shown() {
            return name.getLast();
        }
    }

    record Slot(int depth, int index, Column column) {}

    private final List<Entry> entries;
    private final @Nullable Scope outer;

    Scope(List<Entry> entries, @Nullable Scope outer) {
        this.entries = List.copyOf(entries);
        this.outer = outer;
    }

    @Nullable
    Scope outer() {
        return outer;
    }

    List<Entry> entries() {
        return entries;
    }

    int width() {
        return entries.isEmpty()
                ? 0
                : entries.getLast().offset() + entries.getLast().columns().size();
    }

    Slot resolve(Expr.Name name) {
        int depth = 0;
        for (Scope scope = this; scope != null; scope = scope.outer) {
            Slot slot = scope.here(name, depth);
            if (slot != null) {
                return slot;
            }
            depth++;
        }
        throw unknown(name);
    }

    private @Nullable Slot here(Expr.Name name, int depth) {
        List<String> qualifier = name.parts().subList(0, name.parts().size() - 1);
        String column = name.parts().getLast();
        Slot found = null;
        for (Entry entry : entries) {
            if (!entry.answersTo(qualifier)) {
                continue;
            }
            for (int i = 0; i < entry.columns().size(); i++) {
                if (entry.columns().get(i).name().equalsIgnoreCase(column)) {
                    if (found != null) {
                        throw new SqlError(
                                209,
                                name.at(),
                                "Ambiguous column name '" + name + "'. Write the view's name before it.");
                    }
                    found = new Slot(depth, entry.offset() + i, entry.columns().get(i));
                }
            }
        }
        return found;
    }

    /** The sources that {@code qualifier.*} refers to; all of them without a qualifier. */
    List<Entry> matching(List<String> qualifier) {
        return entries.stream().filter(entry -> entry.answersTo(qualifier)).toList();
    }

    private SqlError unknown(Expr.Name name) {
        List<String> qualifier = name.parts().subList(0, name.parts().size() - 1);
        List<Entry> meant = matching(qualifier);
        if (meant.isEmpty() && !qualifier.isEmpty()) {
            String nearest = NearestName.among(
                            entries.stream().map(Entry::shown).toList(), qualifier.getLast())
                    .map(near -> " Did you mean '" + near + "'?")
                    .orElse("");
            return new SqlError(
                    4104, name.at(), "No view in FROM is called '" + String.join(".", qualifier) + "'." + nearest);
        }
        List<String> columns = new ArrayList<>();
        meant.forEach(entry -> entry.columns().forEach(column -> columns.add(column.name())));
        String nearest = NearestName.among(columns, name.parts().getLast())
                .map(near -> " Did you mean '" + near + "'?")
                .orElse(columns.isEmpty() ? " There is no FROM." : "");
        return new SqlError(
                207, name.at(), "Invalid column name '" + name.parts().getLast() + "'." + nearest);
    }
}
