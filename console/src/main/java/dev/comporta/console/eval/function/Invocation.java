package dev.comporta.console.eval.function;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Position;
import dev.comporta.console.table.ColumnType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a scalar function that is being bound. */
record Invocation(Expr.Call call, ExprBinder binder, Surroundings surroundings) {
    /** Computes a function's value from arguments that are not NULL. */
    interface Body {
        @Nullable
        Object apply(Object[] arguments);
    }

    Position at() {
        return call.at();
    }

    int count() {
        return call.arguments().size();
    }

    Bound argument(int index) {
        return binder.bind(call.arguments().get(index));
    }

    /** Binds the call with its arguments converted to these types; it is NULL when one of them is NULL. */
    Bound strict(ColumnType result, List<ColumnType> types, Body body) {
        return strict(0, result, types, body);
    }

    Bound strict(int from, ColumnType result, List<ColumnType> types, Body body) {
        List<Bound> bound = new ArrayList<>();
        for (int i = from; i < count() && i - from < types.size(); i++) {
            bound.add(argument(i).as(types.get(i - from), at()));
        }
        return Bound.guarded(result, at(), frame -> {
            Object[] values = new Object[bound.size()];
            for (int i = 0; i < values.length; i++) {
                Object value = bound.get(i).value(frame);
                if (value == null) {
                    return null;
                }
                values[i] = value;
            }
            return body.apply(values);
        });
    }
}
