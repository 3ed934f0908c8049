package dev.comporta.console.eval;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Frame;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Query;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import dev.comporta.console.value.TypedValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the expressions of a statement. Errors are {@link dev.comporta.console.sql.SqlError}s, with their position. */
public final class Evaluator {
    private Evaluator() {}

    public static Table query(Query query, Surroundings surroundings) {
        BoundQuery bound = new QueryBinder(surroundings, null).bind(query);
        List<Row> rows = new ArrayList<>();
        for (@Nullable Object[] row : bound.rows(Frame.EMPTY)) {
            rows.add(Row.of(row));
        }
        return new Table(bound.columns(), rows);
    }

    /** Evaluates an expression outside of a query, which can't refer to columns. */
    public static TypedValue value(Expr expr, Surroundings surroundings) {
        Bound bound = binder(surroundings).bind(expr);
        return new TypedValue(bound.typeOrInt(), bound.value(Frame.EMPTY));
    }

    /** Evaluates a condition outside of a query. Unknown counts as false, as after IF. */
    public static boolean condition(Expr expr, Surroundings surroundings) {
        return Boolean.TRUE.equals(binder(surroundings).condition(expr).holds(Frame.EMPTY));
    }

    private static Binder binder(Surroundings surroundings) {
        return new Binder(surroundings, new Scope(List.of(), null), null);
    }
}
