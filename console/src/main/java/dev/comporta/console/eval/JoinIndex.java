package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.table.Row;
import dev.comporta.console.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that can match a join without trying all of them, where its condition has {@code a.x = b.y} in it. The
 * catalog queries of tools join thousands of columns with their views.
 *
 * @param given index in the frame of the column whose value is known
 * @param sought index of the other column in a row of the joined view
 */
record JoinIndex(int given, int sought) {
    interface Lookup {
        List<Row> candidates(Frame frame);
    }

    /** Null when no part of the condition has that form. */
    static @Nullable JoinIndex of(Expr on, Scope scope, int joinedOffset) {
        List<Expr> parts = on instanceof Expr.And and ? and.operands() : List.of(on);
        for (Expr part : parts) {
            if (part instanceof Expr.Comparison comparison
                    && comparison.relation() == Expr.Relation.EQUAL
                    && comparison.left() instanceof Expr.Name left
                    && comparison.right() instanceof Expr.Name right) {
                Scope.Slot a = scope.resolve(left);
                Scope.Slot b = scope.resolve(right);
                // Equal values of different types may have different keys.
                if (a.depth() == 0
                        && b.depth() == 0
                        && a.column().type() == b.column().type()) {
                    if (a.index() < joinedOffset && b.index() >= joinedOffset) {
                        return new JoinIndex(a.index(), b.index() - joinedOffset);
                    }
                    if (b.index() < joinedOffset && a.index() >= joinedOffset) {
                        return new JoinIndex(b.index(), a.index() - joinedOffset);
                    }
                }
            }
        }
        return null;
    }

    Lookup over(List<Row> rows) {
        Map<Object, List<Row>> byKey = new HashMap<>();
        for (Row row : rows) {
            Object value = row.get(sought);
            if (value != null) {
                byKey.computeIfAbsent(Values.key(value), _ -> new ArrayList<>()).add(row);
            }
        }
        return frame -> {
            Object value = frame.values()[given];
            return value == null ? List.of() : byKey.getOrDefault(Values.key(value), List.of());
        };
    }
}
