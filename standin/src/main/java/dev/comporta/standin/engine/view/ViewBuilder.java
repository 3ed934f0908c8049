package dev.comporta.standin.engine.view;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.store.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds a system view column by column: its name, its type, and its value for a source object. */
final class ViewBuilder<T> {
    private final String name;
    private final List<Column> columns = new ArrayList<>();
    private final List<Function<T, @Nullable Object>> values = new ArrayList<>();

    ViewBuilder(String name) {
        this.name = name;
    }

    ViewBuilder<T> with(String column, SqlType type, Function<T, @Nullable Object> value) {
        columns.add(new Column(column, type, true, false));
        values.add(value);
        return this;
    }

    Relation.SystemView over(Supplier<List<T>> sources) {
        return new Relation.SystemView(name, columns, () -> {
            List<@Nullable Object[]> rows = new ArrayList<>();
            for (T source : sources.get()) {
                @Nullable Object[] row = new @Nullable Object[values.size()];
                for (int i = 0; i < row.length; i++) {
                    row[i] = values.get(i).apply(source);
                }
                rows.add(row);
            }
            return rows;
        });
    }
}
