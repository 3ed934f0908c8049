package dev.comporta.console.table;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The columns of a view, each with the function that takes its value from an item, so that they always match. */
public class ViewColumns<T> {
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Column> columns = new ArrayList<>();
    private final List<Function<T, @Nullable Object>> values = new ArrayList<>();

    ViewColumns<T> add(String name, ColumnType type, String description, Function<T, @Nullable Object> value) {
        columns.add(new Column(name, type, description));
        values.add(value);
        return this;
    }

    /** Adds columns to these whose values are taken from a part of the item. */
    public <P> ViewColumns<P> of(Function<T, P> part) {
        ViewColumns<T> whole = this;
        return new ViewColumns<>() {
            @Override
            ViewColumns<P> add(String name, ColumnType type, String description, Function<P, @Nullable Object> value) {
                whole.add(name, type, description, item -> value.apply(part.apply(item)));
                return this;
            }
        };
    }

    /** Empty text is NULL. */
    public ViewColumns<T> text(String name, String description, Function<T, @Nullable String> value) {
        return add(name, ColumnType.NVARCHAR, description, item -> {
            String text = value.apply(item);
            return text == null || text.isEmpty() ? null : text;
        });
    }

    public ViewColumns<T> bit(String name, String description, Predicate<T> value) {
        return add(name, ColumnType.BIT, description, value::test);
    }

    public ViewColumns<T> integer(String name, String description, ToIntFunction<T> value) {
        return add(name, ColumnType.INT, description, value::applyAsInt);
    }

    /** 0 is NULL: for numbers that count from 1. */
    public ViewColumns<T> integerFromOne(String name, String description, ToIntFunction<T> value) {
        return add(name, ColumnType.INT, description, item -> {
            int number = value.applyAsInt(item);
            return number == 0 ? null : number;
        });
    }

    public ViewColumns<T> bigint(String name, String description, ToLongFunction<T> value) {
        return add(name, ColumnType.BIGINT, description, value::applyAsLong);
    }

    /** 0 is NULL: for numbers that count from 1. */
    public ViewColumns<T> number(String name, String description, ToLongFunction<T> value) {
        return add(name, ColumnType.BIGINT, description, item -> {
            long number = value.applyAsLong(item);
            return number == 0 ? null : number;
        });
    }

    public ViewColumns<T> bigintOrNull(String name, String description, Function<T, @Nullable Long> value) {
        return add(name, ColumnType.BIGINT, description, value::apply);
    }

    public ViewColumns<T> decimalOrNull(String name, String description, Function<T, @Nullable Double> value) {
        return add(name, ColumnType.FLOAT, description, value::apply);
    }

    public ViewColumns<T> millis(String name, String description, Function<T, @Nullable Duration> value) {
        return add(name, ColumnType.BIGINT, description, item -> {
            Duration duration = value.apply(item);
            return duration == null ? null : duration.toMillis();
        });
    }

    /** Milliseconds with decimals, for times that are mostly shorter than a millisecond. */
    public ViewColumns<T> decimalMillis(String name, String description, Function<T, @Nullable Duration> value) {
        return add(name, ColumnType.FLOAT, description, item -> {
            Duration duration = value.apply(item);
            return duration == null ? null : duration.toNanos() / NANOS_PER_MILLI;
        });
    }

    public ViewColumns<T> decimal(String name, String description, ToDoubleFunction<T> value) {
        return add(name, ColumnType.FLOAT, description, value::applyAsDouble);
    }

    public ViewColumns<T> time(String name, String description, Function<T, @Nullable Instant> value) {
        return add(name, ColumnType.DATETIME2, description, item -> {
            Instant at = value.apply(item);
            return at == null ? null : LocalDateTime.ofInstant(at, ZoneOffset.UTC);
        });
    }

    /** @param items a snapshot, taken when the view is read */
    public View view(String name, String shownAs, String description, Supplier<List<T>> items) {
        List<Function<T, @Nullable Object>> taken = List.copyOf(values);
        return View.of(name, shownAs, description, columns, () -> {
            List<Row> rows = new ArrayList<>();
            for (T item : items.get()) {
                List<@Nullable Object> row = new ArrayList<>(taken.size());
                taken.forEach(value -> row.add(value.apply(item)));
                rows.add(Row.of(row));
            }
            return rows;
        });
    }
}
