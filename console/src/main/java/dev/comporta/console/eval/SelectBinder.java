package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Query;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds one SELECT: sources, condition, groups, columns, then order, because each may use names of the ones before. */
record SelectBinder(Surroundings surroundings, @Nullable Scope outer) {
    BoundQuery bind(Query.Select select, List<Query.Order> orders) {
        SourceBinder sources = new SourceBinder(surroundings, outer);
        SourceBinder.RowSource source = sources.bind(select.from());
        Scope scope = sources.scope();
        Binder rowBinder = new Binder(surroundings, scope, null);
        Expr where = select.where();
        Bound.Condition condition = where == null ? _ -> true : rowBinder.condition(where);
        Grouping grouping = isGrouped(select, orders) ? new Grouping(select.groupBy(), scope, rowBinder) : null;
        Binder binder = grouping == null ? rowBinder : new Binder(surroundings, scope, grouping);

        SelectList list = SelectList.bind(select.items(), scope, binder);
        Expr having = select.having();
        Bound.Condition groupCondition = having == null ? _ -> true : binder.condition(having);
        // Order keys that are not columns of the result are computed after them, and cut off in the end.
        List<Bound> values = new ArrayList<>(list.values());
        List<Sorting.Key> order = new ArrayList<>();
        for (Query.Order item : orders) {
            int place = list.placeOf(item.expr(), scope);
            if (place < 0) {
                if (select.distinct()) {
                    throw new SqlError(
                            145,
                            item.expr().at(),
                            "With SELECT DISTINCT, ORDER BY takes only columns of the select list.");
                }
                place = values.size();
                values.add(binder.bind(item.expr()));
            }
            order.add(new Sorting.Key(place, item.descending()));
        }
        return new BoundSelect(
                surroundings.budget(),
                select.at(),
                source,
                scope.width(),
                condition,
                grouping,
                groupCondition,
                List.copyOf(list.columns()),
                values,
                order,
                select.distinct(),
                top(select.top()));
    }

    private static boolean isGrouped(Query.Select select, List<Query.Order> orders) {
        return !select.groupBy().isEmpty()
                || select.having() != null
                || select.items().stream()
                        .anyMatch(
                                item -> item instanceof Query.Item.Value value && Grouping.usesAggregate(value.expr()))
                || orders.stream().anyMatch(order -> Grouping.usesAggregate(order.expr()));
    }

    private long top(@Nullable Expr top) {
        if (top == null) {
            return Long.MAX_VALUE;
        }
        Scope nothing = new Scope(List.<Scope.Entry>of(), null);
        Object count = new Binder(surroundings, nothing, null)
                .bind(top)
                .as(ColumnType.BIGINT, top.at())
                .value(Frame.EMPTY);
        if (!(count instanceof Long rows) || rows < 0) {
            throw new SqlError(127, top.at(), "TOP takes a number of rows that is not negative.");
        }
        return rows;
    }
}
