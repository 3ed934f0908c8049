package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.Query;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Binds a whole query: one SELECT, or a UNION of several. */
record QueryBinder(Surroundings surroundings, @Nullable Scope outer) {
    BoundQuery bind(Query query) {
        SelectBinder selects = new SelectBinder(surroundings, outer);
        if (query.unions().isEmpty()) {
            return selects.bind(query.first(), query.order());
        }
        List<BoundQuery> parts = new ArrayList<>();
        parts.add(selects.bind(query.first(), List.of()));
        for (Query.Union union : query.unions()) {
            parts.add(selects.bind(union.select(), List.of()));
        }
        return union(query, parts);
    }

    private BoundQuery union(Query query, List<BoundQuery> parts) {
        List<Column> columns = columns(query, parts);
        List<Sorting.Key> order = new ArrayList<>();
        for (Query.Order item : query.order()) {
            order.add(new Sorting.Key(place(item.expr(), columns), item.descending()));
        }
        Position at = query.first().at();
        return new BoundQuery() {
            @Override
            public List<Column> columns() {
                return columns;
            }

            @Override
            public boolean isUntyped(int column) {
                return parts.stream().allMatch(part -> part.isUntyped(column));
            }

            @Override
            public List<@Nullable Object[]> rows(Frame frame) {
                List<@Nullable Object[]> rows = new ArrayList<>();
                for (int i = 0; i < parts.size(); i++) {
                    addConverted(rows, parts.get(i), columns, frame, at);
                    surroundings.budget().rows(rows.size(), at);
                    if (i > 0 && !query.unions().get(i - 1).all()) {
                        rows = distinct(rows);
                    }
                }
                return Sorting.sorted(rows, order);
            }
        };
    }

    private static List<Column> columns(Query query, List<BoundQuery> parts) {
        List<Column> first = parts.getFirst().columns();
        for (int part = 1; part < parts.size(); part++) {
            if (parts.get(part).columns().size() != first.size()) {
                throw new SqlError(
                        205,
                        query.unions().get(part - 1).select().at(),
                        "All queries of a UNION must return the same number of columns.");
            }
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            Column column = first.get(i);
            columns.add(new Column(column.name(), type(parts, i), column.description()));
        }
        return columns;
    }

    private static ColumnType type(List<BoundQuery> parts, int column) {
        ColumnType common = null;
        for (BoundQuery part : parts) {
            if (!part.isUntyped(column)) {
                ColumnType type = part.columns().get(column).type();
                common = common == null ? type : Values.common(common, type);
            }
        }
        return common == null ? ColumnType.INT : common;
    }

    private static int place(Expr order, List<Column> columns) {
        if (order instanceof Expr.Literal literal
                && literal.value() instanceof Integer ordinal
                && ordinal >= 1
                && ordinal <= columns.size()) {
            return ordinal - 1;
        }
        if (order instanceof Expr.Name name) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).name().equalsIgnoreCase(name.parts().getLast())) {
                    return i;
                }
            }
        }
        throw new SqlError(104, order.at(), "ORDER BY of a UNION takes names or numbers of its columns.");
    }

    private void addConverted(
            List<@Nullable Object[]> rows, BoundQuery part, List<Column> columns, Frame frame, Position at) {
        List<Bound> conversions = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int place = i;
            conversions.add(
                    new Bound(part.isUntyped(i) ? null : part.columns().get(i).type(), row -> row.values()[place])
                            .as(columns.get(i).type(), at));
        }
        for (@Nullable Object[] row : part.rows(frame)) {
            surroundings.budget().step(at);
            Frame source = new Frame(row, null);
            @Nullable Object[] converted = new @Nullable Object[row.length];
            for (int i = 0; i < row.length; i++) {
                converted[i] = conversions.get(i).value(source);
            }
            rows.add(converted);
        }
    }

    static List<@Nullable Object[]> distinct(List<@Nullable Object[]> rows) {
        Set<List<Object>> seen = new HashSet<>();
        List<@Nullable Object[]> distinct = new ArrayList<>();
        for (@Nullable Object[] row : rows) {
            if (seen.add(key(row))) {
                distinct.add(row);
            }
        }
        return distinct;
    }

    static List<Object> key(@Nullable Object[] values) {
        List<Object> key = new ArrayList<>(values.length);
        for (Object value : values) {
            key.add(Values.key(value));
        }
        return key;
    }
}
