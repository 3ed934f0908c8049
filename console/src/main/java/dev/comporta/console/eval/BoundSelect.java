package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Budget;
import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.sql.Position;
import dev.comporta.console.table.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One SELECT that is ready to run.
 *
 * @param width of a frame over all sources
 * @param grouping null for a SELECT that returns its rows one by one
 * @param values the columns of the result, then order keys that are not among them
 */
record BoundSelect(
        Budget budget,
        Position at,
        SourceBinder.RowSource source,
        int width,
        Bound.Condition where,
        @Nullable Grouping grouping,
        Bound.Condition having,
        List<Column> columns,
        List<Bound> values,
        List<Sorting.Key> order,
        boolean distinct,
        long top)
        implements BoundQuery {

    @Override
    public boolean isUntyped(int column) {
        return values.get(column).type() == null;
    }

    @Override
    public List<@Nullable Object[]> rows(Frame outer) {
        Frame frame = new Frame(new @Nullable Object[width], outer);
        List<@Nullable Object[]> rows = new ArrayList<>();
        Grouping groups = grouping;
        if (groups == null) {
            source.each(frame, () -> {
                if (Boolean.TRUE.equals(where.holds(frame))) {
                    add(rows, frame);
                }
            });
        } else {
            for (Frame group : groups(groups, frame)) {
                if (Boolean.TRUE.equals(having.holds(group))) {
                    add(rows, group);
                }
            }
        }
        List<@Nullable Object[]> kept = distinct ? QueryBinder.distinct(rows) : rows;
        List<@Nullable Object[]> sorted = Sorting.sorted(kept, order);
        List<@Nullable Object[]> first = top < sorted.size() ? sorted.subList(0, (int) top) : sorted;
        return cut(first);
    }

    private void add(List<@Nullable Object[]> rows, Frame frame) {
        budget.step(at);
        if (order.isEmpty() && !distinct && rows.size() >= top) {
            return;
        }
        @Nullable Object[] row = new @Nullable Object[values.size()];
        for (int i = 0; i < row.length; i++) {
            row[i] = values.get(i).value(frame);
        }
        rows.add(row);
        budget.kept(row, at);
        budget.rows(rows.size(), at);
    }

    private List<Frame> groups(Grouping groups, Frame frame) {
        Map<List<Object>, Group> byKey = new LinkedHashMap<>();
        if (groups.keys().isEmpty()) {
            // Without GROUP BY there is one group even without rows: COUNT(*) is 0.
            byKey.put(List.of(), new Group(groups, new @Nullable Object[0], budget));
        }
        source.each(frame, () -> {
            if (!Boolean.TRUE.equals(where.holds(frame))) {
                return;
            }
            @Nullable Object[] keys = new @Nullable Object[groups.keys().size()];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = groups.keys().get(i).value(frame);
            }
            byKey.computeIfAbsent(QueryBinder.key(keys), _ -> new Group(groups, keys, budget))
                    .add(frame);
            budget.rows(byKey.size(), at);
        });
        List<Frame> frames = new ArrayList<>();
        byKey.values().forEach(group -> frames.add(group.frame(frame.outer())));
        return frames;
    }

    private List<@Nullable Object[]> cut(List<@Nullable Object[]> rows) {
        if (values.size() == columns.size()) {
            return rows;
        }
        List<@Nullable Object[]> cut = new ArrayList<>(rows.size());
        rows.forEach(row -> cut.add(Arrays.copyOf(row, columns.size())));
        return cut;
    }

    private static final class Group {
        private final @Nullable Object[] keys;
        private final List<Aggregate.Accumulator> accumulators = new ArrayList<>();

        Group(Grouping grouping, @Nullable Object[] keys, Budget budget) {
            this.keys = keys;
            grouping.aggregates().forEach(aggregate -> accumulators.add(aggregate.start(budget)));
        }

        void add(Frame row) {
            accumulators.forEach(accumulator -> accumulator.add(row));
        }

        Frame frame(@Nullable Frame outer) {
            @Nullable Object[] values = Arrays.copyOf(keys, keys.length + accumulators.size());
            for (int i = 0; i < accumulators.size(); i++) {
                values[keys.length + i] = accumulators.get(i).result();
            }
            return new Frame(values, outer);
        }
    }
}
