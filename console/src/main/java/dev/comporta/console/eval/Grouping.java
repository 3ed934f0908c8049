package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.SqlError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of GROUP BY, and the aggregates bound so far. A group's frame has the keys first, then the aggregates. */
final class Grouping {
    private final List<Expr> keys;
    private final List<Bound> boundKeys;
    private final List<Scope.@Nullable Slot> keySlots = new ArrayList<>();
    private final List<Aggregate> aggregates = new ArrayList<>();
    private final Binder rowBinder;

    Grouping(List<Expr> keys, Scope scope, Binder rowBinder) {
        this.keys = keys;
        this.rowBinder = rowBinder;
        for (Expr key : keys) {
            if (key instanceof Expr.Literal) {
                throw new SqlError(164, key.at(), "GROUP BY takes columns and expressions on columns, not a constant.");
            }
            keySlots.add(key instanceof Expr.Name name ? scope.resolve(name) : null);
        }
        this.boundKeys = rowBinder.bindAll(keys);
    }

    List<Bound> keys() {
        return boundKeys;
    }

    List<Aggregate> aggregates() {
        return aggregates;
    }

    /** Null when the expression is neither a key nor an aggregate: its parts may be. */
    @Nullable
    Bound bind(Expr expr, Scope scope) {
        int key = keyOf(expr, scope);
        if (key >= 0) {
            return new Bound(boundKeys.get(key).type(), group -> group.values()[key]);
        }
        if (expr instanceof Expr.Call call && Aggregate.isAggregate(call)) {
            Aggregate aggregate = Aggregate.bind(call, rowBinder);
            int index = keys.size() + aggregates.size();
            aggregates.add(aggregate);
            return new Bound(aggregate.type(), group -> group.values()[index]);
        }
        return null;
    }

    private int keyOf(Expr expr, Scope scope) {
        if (expr instanceof Expr.Name name) {
            Scope.Slot slot = scope.resolve(name);
            return keySlots.indexOf(slot);
        }
        return keys.indexOf(expr);
    }

    // A loop: interpreted, a recursion over the deepest tree that the parser accepts takes 256 KB of stack
    // and more.
    static boolean usesAggregate(Expr expr) {
        Deque<Expr> left = new ArrayDeque<>(List.of(expr));
        while (!left.isEmpty()) {
            Expr next = left.pop();
            if (next instanceof Expr.Call call && Aggregate.isAggregate(call)) {
                return true;
            }
            left.addAll(children(next));
        }
        return false;
    }

    // Subqueries are left out: their aggregates are their own.
    private static List<Expr> children(Expr expr) {
        return switch (expr) {
            case Expr.Literal _, Expr.Name _, Expr.Variable _, Expr.Global _, Expr.Subquery _, Expr.Exists _ ->
                List.of();
            case Expr.Negative negative -> List.of(negative.operand());
            case Expr.Calculation calculation -> List.of(calculation.left(), calculation.right());
            case Expr.Comparison comparison -> List.of(comparison.left(), comparison.right());
            case Expr.And and -> and.operands();
            case Expr.Or or -> or.operands();
            case Expr.Not not -> List.of(not.operand());
            case Expr.IsNull isNull -> List.of(isNull.operand());
            case Expr.In in -> with(in.list(), in.operand());
            case Expr.InQuery in -> List.of(in.operand());
            case Expr.Between between -> List.of(between.operand(), between.low(), between.high());
            case Expr.Like like -> List.of(like.operand(), like.pattern());
            case Expr.Case choice -> {
                List<Expr> parts = new ArrayList<>();
                for (Expr.When when : choice.whens()) {
                    parts.add(when.condition());
                    parts.add(when.result());
                }
                parts = with(parts, choice.subject());
                yield with(parts, choice.otherwise());
            }
            case Expr.Cast cast -> List.of(cast.operand());
            case Expr.Call call -> call.arguments();
        };
    }

    private static List<Expr> with(List<Expr> exprs, @Nullable Expr another) {
        if (another == null) {
            return exprs;
        }
        List<Expr> all = new ArrayList<>(exprs);
        all.add(another);
        return all;
    }
}
