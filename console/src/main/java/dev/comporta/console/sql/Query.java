package dev.comporta.console.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One SELECT or several joined by UNION, and the order of what they return. */
public record Query(Select first, List<Union> unions, List<Order> order) {
    public record Union(boolean all, Select select) {}

    public record Select(
            Position at,
            boolean distinct,
            @Nullable Expr top,
            List<Item> items,
            @Nullable Source from,
            @Nullable Expr where,
            List<Expr> groupBy,
            @Nullable Expr having) {}

    public sealed interface Item {
        /**
         * {@code *} or {@code p.*}
         *
         * @param qualifier the name before the star; empty for a plain {@code *}
         */
        record All(Position at, List<String> qualifier) implements Item {}

        record Value(Expr expr, @Nullable String alias) implements Item {}
    }

    public sealed interface Source {
        Position at();

        /** A view, with its schema and database if the query names them. */
        record Named(
                Position at, List<String> name, @Nullable String alias) implements Source {}

        /** A table variable. */
        record Variable(Position at, String name, @Nullable String alias) implements Source {}

        record Derived(Position at, Query query, String alias) implements Source {}

        /** @param on null for a cross join */
        record Join(
                Position at,
                boolean left,
                Source first,
                Source second,
                @Nullable Expr on) implements Source {}
    }

    public record Order(Expr expr, boolean descending) {}
}
