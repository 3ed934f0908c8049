package dev.comporta.standin.engine.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A SELECT with its common table expressions, set operations, ORDER BY and OFFSET. */
public record Query(
        List<Cte> with,
        Body body,
        List<Order> orderBy,
        @Nullable Expr offset,
        @Nullable Expr fetch) {

    public record Cte(String name, List<String> columns, Query query) {}

    public record Order(Expr expr, boolean descending) {}

    public sealed interface Body {}

    public record Select(
            boolean distinct,
            @Nullable Top top,
            List<Item> items,
            @Nullable ObjectName into,
            List<From> from,
            @Nullable Condition where,
            List<Expr> groupBy,
            @Nullable Condition having)
            implements Body {}

    public record Top(Expr count, boolean percent, boolean withTies) {}

    /**
     * An item of a select list.
     *
     * @param alias empty if there is none
     * @param variable the variable that the item assigns, or empty
     */
    public record Item(Expr expr, String alias, String variable) {}

    public enum SetOperator {
        UNION,
        UNION_ALL,
        EXCEPT,
        INTERSECT
    }

    public record Combined(SetOperator operator, Body left, Body right) implements Body {}

    /** A query in parentheses as an operand of a set operation. */
    public record Nested(Query query) implements Body {}

    public record Values(List<List<Expr>> rows) implements Body {}

    public sealed interface From {}

    public record TableFrom(ObjectName name, String alias) implements From {}

    public record Derived(Query query, String alias, List<String> columns) implements From {}

    public enum JoinKind {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        CROSS
    }

    public record Join(
            JoinKind kind, From left, From right, @Nullable Condition on) implements From {}
}
