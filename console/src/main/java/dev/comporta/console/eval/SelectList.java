package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Query;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.Column;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a SELECT returns.
 *
 * @param exprs as they were written; null for a column of {@code *}
 */
record SelectList(List<Column> columns, List<Bound> values, List<@Nullable Expr> exprs) {
    static SelectList bind(List<Query.Item> items, Scope scope, Binder binder) {
        SelectList list = new SelectList(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Query.Item item : items) {
            switch (item) {
                case Query.Item.All all -> list.addAll(all, scope, binder);
                case Query.Item.Value value -> list.add(value, scope, binder);
            }
        }
        return list;
    }

    private void addAll(Query.Item.All all, Scope scope, Binder binder) {
        List<Scope.Entry> entries = scope.matching(all.qualifier());
        if (entries.isEmpty()) {
            throw new SqlError(
                    263,
                    all.at(),
                    all.qualifier().isEmpty()
                            ? "SELECT * needs a FROM."
                            : "No view in FROM is called '" + String.join(".", all.qualifier()) + "'.");
        }
        for (Scope.Entry entry : entries) {
            for (Column column : entry.columns()) {
                // By its full name: two views may have columns of the same name.
                List<String> name = new ArrayList<>(entry.name());
                name.add(column.name());
                Expr.Name expr = new Expr.Name(all.at(), name);
                columns.add(column);
                values.add(binder.bind(expr));
                exprs.add(expr);
            }
        }
    }

    private void add(Query.Item.Value item, Scope scope, Binder binder) {
        Bound value = binder.bind(item.expr());
        Column source =
                item.expr() instanceof Expr.Name name ? scope.resolve(name).column() : null;
        String alias = item.alias();
        String name = alias != null ? alias : source == null ? "" : source.name();
        columns.add(new Column(name, value.typeOrInt(), source == null ? "" : source.description()));
        values.add(value);
        exprs.add(item.expr());
    }

    /** The index of the column that ORDER BY names by number, alias or the same expression; -1 if it names none. */
    int placeOf(Expr order, Scope scope) {
        if (order instanceof Expr.Literal literal) {
            if (literal.value() instanceof Integer ordinal && ordinal >= 1 && ordinal <= columns.size()) {
                return ordinal - 1;
            }
            throw new SqlError(
                    108, order.at(), "ORDER BY position must be between 1 and " + columns.size() + ", or a name.");
        }
        if (!(order instanceof Expr.Name name)) {
            return exprs.indexOf(order);
        }
        if (name.parts().size() == 1) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).name().equalsIgnoreCase(name.parts().getFirst())) {
                    return i;
                }
            }
        }
        Scope.Slot slot = scope.resolve(name);
        for (int i = 0; i < exprs.size(); i++) {
            if (exprs.get(i) instanceof Expr.Name column
                    && scope.resolve(column).equals(slot)) {
                return i;
            }
        }
        return -1;
    }
}
