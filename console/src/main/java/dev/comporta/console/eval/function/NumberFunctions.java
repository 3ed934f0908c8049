package dev.comporta.console.eval.function;

import static dev.comporta.console.table.ColumnType.BIGINT;
import static dev.comporta.console.table.ColumnType.FLOAT;
import static dev.comporta.console.table.ColumnType.INT;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Types;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Conversion;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Functions on numbers, and those that choose between values. */
final class NumberFunctions {
    private NumberFunctions() {}

    static void addTo(Map<String, Functions.Definition> all) {
        all.put("ABS", rounding(value -> value.abs()));
        all.put("FLOOR", rounding(value -> value.setScale(0, RoundingMode.FLOOR)));
        all.put("CEILING", rounding(value -> value.setScale(0, RoundingMode.CEILING)));
        all.put("ROUND", new Functions.Definition(2, 2, NumberFunctions::round));
        all.put("COALESCE", new Functions.Definition(2, Integer.MAX_VALUE, NumberFunctions::coalesce));
        all.put("ISNULL", new Functions.Definition(2, 2, NumberFunctions::isNull));
        all.put("NULLIF", new Functions.Definition(2, 2, NumberFunctions::nullIf));
    }

    private static Functions.Definition rounding(UnaryOperator<BigDecimal> function) {
        return new Functions.Definition(1, 1, call -> {
            ColumnType type = numeric(call.argument(0));
            return call.strict(type, List.of(type), arguments -> back(type, function.apply(exact(arguments[0]))));
        });
    }

    private static Bound round(Invocation call) {
        ColumnType type = numeric(call.argument(0));
        return call.strict(type, List.of(type, INT), arguments -> {
            // A double or a long has no digits outside of these places.
            int places = Math.clamp((Integer) arguments[1], -400, 400);
            return back(type, exact(arguments[0]).setScale(places, RoundingMode.HALF_UP));
        });
    }

    private static ColumnType numeric(Bound argument) {
        ColumnType type = argument.typeOrInt();
        if (type == ColumnType.BIT) {
            return INT;
        }
        return type.isNumeric() ? type : FLOAT;
    }

    private static BigDecimal exact(Object number) {
        return number instanceof Double real
                ? BigDecimal.valueOf(real)
                : BigDecimal.valueOf(((Number) number).longValue());
    }

    private static Object back(ColumnType type, BigDecimal value) {
        if (type == FLOAT) {
            return value.doubleValue();
        }
        Object converted = Conversion.convert(value.toBigInteger().toString(), type == BIGINT ? BIGINT : INT);
        return converted == null ? 0 : converted;
    }

    private static Bound coalesce(Invocation call) {
        List<Bound> alternatives = new ArrayList<>();
        for (int i = 0; i < call.count(); i++) {
            alternatives.add(call.argument(i));
        }
        ColumnType type = Types.common(alternatives);
        if (type == null) {
            return alternatives.getFirst();
        }
        return firstNotNull(alternatives, type, call);
    }

    // Unlike COALESCE, it has the type of its first argument.
    private static Bound isNull(Invocation call) {
        List<Bound> alternatives = List.of(call.argument(0), call.argument(1));
        ColumnType first = alternatives.getFirst().type();
        return firstNotNull(alternatives, first == null ? alternatives.get(1).typeOrInt() : first, call);
    }

    private static Bound firstNotNull(List<Bound> alternatives, ColumnType type, Invocation call) {
        List<Bound> converted =
                alternatives.stream().map(bound -> bound.as(type, call.at())).toList();
        return new Bound(type, frame -> {
            for (Bound alternative : converted) {
                Object value = alternative.value(frame);
                if (value != null) {
                    return value;
                }
            }
            return null;
        });
    }

    private static Bound nullIf(Invocation call) {
        Bound first = call.argument(0);
        Expr.Comparison equal = new Expr.Comparison(
                call.at(),
                Expr.Relation.EQUAL,
                call.call().arguments().get(0),
                call.call().arguments().get(1));
        Bound.Condition same = call.binder().condition(equal);
        return new Bound(first.type(), frame -> Boolean.TRUE.equals(same.holds(frame)) ? null : first.value(frame));
    }
}
