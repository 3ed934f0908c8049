package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.function.Functions;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Renders calls: aggregates and window functions are H2's own; everything else is Java. */
record FunctionRenderer(Rendering rendering, ExprRenderer exprs) {
    Fragment render(Expr.Call call, Scope scope) {
        return switch (call.name()) {
            case "COUNT", "COUNT_BIG" -> count(call, scope);
            case "SUM", "AVG", "MIN", "MAX", "STDEV", "STDEVP", "VAR", "VARP" -> aggregate(call, scope);
            case "STRING_AGG" -> stringAgg(call, scope);
            case "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE" -> ranking(call, scope);
            case "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE" -> neighbour(call, scope);
            case "ISNULL" -> isNull(call, scope);
            case "COALESCE" -> coalesce(call, scope);
            case "NULLIF" -> nullIf(call, scope);
            default -> java(call, scope);
        };
    }

    private Fragment java(Expr.Call call, Scope scope) {
        JavaFunction function = rendering.environment().sessionFunction(call.name());
        if (function == null) {
            function = Functions.find(call.name());
        }
        if (function == null) {
            throw SqlError.unknownFunction(call.name());
        }
        return rendering.call(call.name(), function, exprs.renderAll(call.arguments(), scope));
    }

    private Fragment count(Expr.Call call, Scope scope) {
        require(call, 1, 1);
        Expr argument = call.arguments().getFirst();
        String inner = argument instanceof Expr.Star
                ? "*"
                : exprs.render(argument, scope).sql();
        SqlType type = call.name().equals("COUNT") ? Types.INT : Types.BIGINT;
        String sql = "COUNT(" + distinct(call) + inner + ")" + over(call, scope);
        return Fragment.required("CAST(" + sql + " AS " + Types.h2(type) + ")", type);
    }

    private Fragment aggregate(Expr.Call call, Scope scope) {
        require(call, 1, 1);
        Fragment argument = exprs.render(call.arguments().getFirst(), scope);
        String name = call.name();
        if (name.equals("MIN") || name.equals("MAX")) {
            String inner =
                    argument.type().name() == Name.BIT ? exprs.number(argument).sql() : argument.sql();
            return Fragment.expression(name + "(" + inner + ")" + over(call, scope), argument.type());
        }
        Fragment number = exprs.number(argument);
        if (!Types.isNumber(number.type())) {
            String text = "Operand data type " + Types.name(argument.type()) + " is invalid for "
                    + name.toLowerCase(Locale.ROOT) + " operator.";
            throw new SqlError(8117, 16, 1, SqlError.Effect.BATCH, text);
        }
        return switch (name) {
            case "SUM" -> sum(call, number, scope);
            case "AVG" -> average(call, number, scope);
            default -> {
                String h2 = name.replace("STDEVP", "STDDEV_POP")
                        .replace("STDEV", "STDDEV_SAMP")
                        .replace("VARP", "VAR_POP");
                h2 = h2.equals("VAR") ? "VAR_SAMP" : h2;
                yield Fragment.expression(
                        h2 + "(" + distinct(call) + number.sql() + ")" + over(call, scope), Types.FLOAT);
            }
        };
    }

    private Fragment sum(Expr.Call call, Fragment number, Scope scope) {
        SqlType type = total(number.type());
        String sql = "SUM(" + distinct(call) + number.sql() + ")" + over(call, scope);
        return Fragment.expression("CAST(" + sql + " AS " + Types.h2(type) + ")", type);
    }

    private Fragment average(Expr.Call call, Fragment number, Scope scope) {
        SqlType type = total(number.type());
        String inner = distinct(call) + number.sql();
        String window = over(call, scope);
        if (Types.isInteger(type)) {
            // The average of integers is an integer, truncated and not rounded.
            String sql = "(SUM(" + inner + ")" + window + " / COUNT(" + inner + ")" + window + ")";
            return Fragment.expression("CAST(" + sql + " AS " + Types.h2(type) + ")", type);
        }
        if (Types.isDecimal(type)) {
            type = Types.numeric(38, Math.max(6, type.scale()));
        }
        return Fragment.expression("CAST(AVG(" + inner + ")" + window + " AS " + Types.h2(type) + ")", type);
    }

    private static SqlType total(SqlType type) {
        return switch (type.name()) {
            case TINYINT, SMALLINT -> Types.INT;
            case DECIMAL, NUMERIC -> new SqlType(type.name(), 0, 38, type.scale());
            case SMALLMONEY -> Types.MONEY;
            case REAL -> Types.FLOAT;
            default -> type;
        };
    }

    private Fragment stringAgg(Expr.Call call, Scope scope) {
        require(call, 2, 2);
        List<Fragment> arguments = exprs.renderAll(call.arguments(), scope);
        Fragment value = arguments.get(0);
        SqlType type = Types.isUnicode(value.type()) ? Types.nvarchar(4000) : Types.varchar(8000);
        Fragment text = rendering.coerce(value, type);
        return Fragment.expression(
                "LISTAGG(" + text.sql() + ", " + arguments.get(1).sql() + ")", type);
    }

    private Fragment ranking(Expr.Call call, Scope scope) {
        String arguments = exprs.renderList(call.arguments(), scope);
        if (call.over() == null) {
            String text = "The function '" + call.name() + "' must have an OVER clause.";
            throw new SqlError(10753, 15, 1, SqlError.Effect.BATCH, text);
        }
        return Fragment.required(call.name() + "(" + arguments + ")" + over(call, scope), Types.BIGINT);
    }

    private Fragment neighbour(Expr.Call call, Scope scope) {
        List<Fragment> arguments = exprs.renderAll(call.arguments(), scope);
        String sql = arguments.stream().map(Fragment::sql).collect(Collectors.joining(", "));
        return Fragment.expression(
                call.name() + "(" + sql + ")" + over(call, scope),
                arguments.getFirst().type());
    }

    private String over(Expr.Call call, Scope scope) {
        Expr.Over over = call.over();
        if (over == null) {
            return "";
        }
        StringBuilder sql = new StringBuilder(" OVER (");
        if (!over.partitionBy().isEmpty()) {
            sql.append("PARTITION BY ").append(exprs.renderList(over.partitionBy(), scope));
        }
        List<String> orders = new ArrayList<>();
        for (Query.Order order : over.orderBy()) {
            orders.add(exprs.render(order.expr(), scope).sql() + (order.descending() ? " DESC" : ""));
        }
        if (!orders.isEmpty()) {
            sql.append(" ORDER BY ").append(String.join(", ", orders));
        }
        return sql.append(')').toString();
    }

    private static String distinct(Expr.Call call) {
        return call.distinct() ? "DISTINCT " : "";
    }

    private static void require(Expr.Call call, int least, int most) {
        int count = call.arguments().size();
        if (count < least || count > most) {
            String text =
                    "The " + call.name().toLowerCase(Locale.ROOT) + " function requires " + least + " argument(s).";
            throw new SqlError(174, 15, 1, SqlError.Effect.BATCH, text);
        }
    }

    /** ISNULL has its first argument's type, and is not nullable if its second is not. */
    private Fragment isNull(Expr.Call call, Scope scope) {
        require(call, 2, 2);
        List<Fragment> arguments = exprs.renderAll(call.arguments(), scope);
        Fragment first = arguments.get(0);
        Fragment second = arguments.get(1);
        if (first.isNullLiteral() && first.type().equals(Types.INT)) {
            return second;
        }
        if (first.constant() != null && !first.isNullLiteral()) {
            return first;
        }
        Fragment replacement = rendering.convert(second, first.type(), -1, false);
        if (first.isNullLiteral()) {
            return replacement;
        }
        String sql = "COALESCE(" + first.sql() + ", " + replacement.sql() + ")";
        return second.nullable() ? Fragment.expression(sql, first.type()) : Fragment.required(sql, first.type());
    }

    private Fragment coalesce(Expr.Call call, Scope scope) {
        List<Fragment> arguments = exprs.renderAll(call.arguments(), scope);
        SqlType type = ExprRenderer.commonType(arguments);
        String sql = arguments.stream()
                .map(argument -> rendering.coerce(argument, type).sql())
                .collect(Collectors.joining(", "));
        return Fragment.expression("COALESCE(" + sql + ")", type);
    }

    private Fragment nullIf(Expr.Call call, Scope scope) {
        require(call, 2, 2);
        List<Fragment> arguments = exprs.renderAll(call.arguments(), scope);
        Fragment first = arguments.get(0);
        String equal = exprs.conditions().compare("=", first, arguments.get(1));
        return Fragment.expression("CASE WHEN " + equal + " THEN NULL ELSE " + first.sql() + " END", first.type());
    }
}
