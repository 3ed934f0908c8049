package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders expressions as H2's SQL, with the types that SQL Server gives them. */
final class ExprRenderer {
    private final Rendering rendering;
    private final QueryRenderer queries;
    private final ConditionRenderer conditions;
    private final FunctionRenderer functions;

    ExprRenderer(Rendering rendering, QueryRenderer queries) {
        this.rendering = rendering;
        this.queries = queries;
        this.conditions = new ConditionRenderer(rendering, this, queries);
        this.functions = new FunctionRenderer(rendering, this);
    }

    ConditionRenderer conditions() {
        return conditions;
    }

    Fragment render(Expr expr, Scope scope) {
        return switch (expr) {
            case Expr.Literal literal -> rendering.constant(literal.type(), literal.value());
            case Expr.Variable variable -> constant(rendering.environment().variable(variable.name()));
            case Expr.Global global -> constant(rendering.environment().global(global.name()));
            case Expr.ColumnRef column -> scope.resolve(column.qualifier(), column.name());
            case Expr.Star star -> throw SqlError.syntax("*", 0);
            case Expr.Unary unary -> unary(unary, scope);
            case Expr.Binary binary -> binary(binary, scope);
            case Expr.Call call -> functions.render(call, scope);
            case Expr.Cast cast -> cast(cast, scope);
            case Expr.Case choice -> choice(choice, scope);
            case Expr.Subquery subquery -> scalar(subquery, scope);
        };
    }

    List<Fragment> renderAll(List<Expr> exprs, Scope scope) {
        List<Fragment> fragments = new ArrayList<>();
        for (Expr expr : exprs) {
            fragments.add(render(expr, scope));
        }
        return fragments;
    }

    /** The rendered expressions, separated by commas. */
    String renderList(List<Expr> exprs, Scope scope) {
        return renderAll(exprs, scope).stream().map(Fragment::sql).collect(Collectors.joining(", "));
    }

    private Fragment constant(TypedValue value) {
        return rendering.constant(value.type(), value.value());
    }

    private Fragment unary(Expr.Unary unary, Scope scope) {
        Fragment operand = number(render(unary.operand(), scope));
        if (unary.operator() == '~') {
            return operand.as("BITNOT(" + operand.sql() + ")", operand.type());
        }
        return operand.as("(- " + operand.sql() + ")", operand.type());
    }

    private Fragment binary(Expr.Binary binary, Scope scope) {
        Fragment left = render(binary.left(), scope);
        Fragment right = render(binary.right(), scope);
        char operator = binary.operator();
        if (left.isNullLiteral() || right.isNullLiteral()) {
            SqlType type = left.isNullLiteral() ? right.type() : left.type();
            return rendering.constant(type, null);
        }
        SqlType type = Types.arithmetic(
                operator,
                literalType(binary.left(), left, right.type()),
                literalType(binary.right(), right, left.type()));
        if (Types.isText(type)) {
            String sql = "(" + padded(left) + " || " + padded(right) + ")";
            return Fragment.expression(Rendering.caseless(sql, type), type);
        }
        if (Types.isBinary(type)) {
            return Fragment.expression("(" + left.sql() + " || " + right.sql() + ")", type);
        }
        if (Types.isTemporal(type)) {
            return dateArithmetic(operator, left, right, type);
        }
        return arithmetic(operator, operand(left, type), operand(right, type), type);
    }

    /** Combined with a decimal, an integer literal has only as many digits as are written. */
    private static SqlType literalType(Expr expr, Fragment fragment, SqlType other) {
        boolean written = expr instanceof Expr.Literal literal && literal.value() instanceof Integer;
        if (!written || !Types.isDecimal(other) || !(expr instanceof Expr.Literal literal)) {
            return fragment.type();
        }
        String digits = String.valueOf(literal.value()).replace("-", "");
        return Types.numeric(digits.length(), 0);
    }

    /** A char(n) column is stored without its trailing spaces; concatenation needs them. */
    private static String padded(Fragment fragment) {
        boolean pads = Types.isFixedText(fragment.type()) && fragment.constant() == null;
        return pads ? "RPAD(" + fragment.sql() + ", " + fragment.type().length() + ")" : fragment.sql();
    }

    /** Converts a text operand to the other's type, and a bit to an int, because H2 can't calculate with booleans. */
    private Fragment operand(Fragment fragment, SqlType result) {
        if (!Types.isNumber(fragment.type())) {
            return rendering.convert(fragment, result, -1, false);
        }
        return number(fragment);
    }

    Fragment number(Fragment fragment) {
        return fragment.type().name() == Name.BIT ? rendering.convert(fragment, Types.INT, -1, false) : fragment;
    }

    private static Fragment arithmetic(char operator, Fragment left, Fragment right, SqlType type) {
        String sql = switch (operator) {
            case '&' -> "BITAND(" + left.sql() + ", " + right.sql() + ")";
            case '|' -> "BITOR(" + left.sql() + ", " + right.sql() + ")";
            case '^' -> "BITXOR(" + left.sql() + ", " + right.sql() + ")";
            default -> "(" + left.sql() + " " + operator + " " + right.sql() + ")";
        };
        // H2's own result type can be narrower or wider; the expression around it must see SQL Server's type.
        return Fragment.expression("CAST(" + sql + " AS " + Types.h2(type) + ")", type);
    }

    /** datetime plus or minus days, or datetime minus datetime, which is a datetime again. */
    private Fragment dateArithmetic(char operator, Fragment left, Fragment right, SqlType type) {
        Fragment first = rendering.convert(left, Types.FLOAT, -1, false);
        Fragment second = rendering.convert(right, Types.FLOAT, -1, false);
        if (operator != '+' && operator != '-') {
            throw SqlError.operandClash(Types.name(left.type()), Types.name(right.type()));
        }
        Fragment days = Fragment.expression("(" + first.sql() + " " + operator + " " + second.sql() + ")", Types.FLOAT);
        return rendering.convert(days, type, -1, false);
    }

    private Fragment cast(Expr.Cast cast, Scope scope) {
        Fragment operand = render(cast.operand(), scope);
        int style = -1;
        if (cast.style() != null) {
            TypedValue value = render(cast.style(), scope).constant();
            if (value == null || !(value.value() instanceof Integer number)) {
                throw SqlError.unsupported("a style that is not a constant");
            }
            style = number;
        }
        Fragment result = rendering.convert(operand, cast.type(), style, cast.orNull());
        return result.constant() != null ? result : result.as(result.sql(), cast.type());
    }

    private Fragment choice(Expr.Case choice, Scope scope) {
        List<Fragment> results = new ArrayList<>();
        for (Expr.When when : choice.whens()) {
            results.add(render(when.result(), scope));
        }
        Expr otherwise = choice.otherwise();
        if (otherwise != null) {
            results.add(render(otherwise, scope));
        }
        SqlType type = commonType(results);
        StringBuilder sql = new StringBuilder("CASE");
        for (int i = 0; i < choice.whens().size(); i++) {
            Expr.When when = choice.whens().get(i);
            sql.append(" WHEN ")
                    .append(whenCondition(choice.subject(), when, scope))
                    .append(" THEN ")
                    .append(rendering.coerce(results.get(i), type).sql());
        }
        if (otherwise != null) {
            sql.append(" ELSE ")
                    .append(rendering.coerce(results.getLast(), type).sql());
        }
        return Fragment.expression(sql.append(" END").toString(), type);
    }

    private String whenCondition(@Nullable Expr subject, Expr.When when, Scope scope) {
        if (when.condition() != null) {
            return conditions.render(when.condition(), scope);
        }
        Expr value = when.value();
        if (subject == null || value == null) {
            throw new IllegalStateException("WHEN has neither a condition nor a value");
        }
        return conditions.compare("=", render(subject, scope), render(value, scope));
    }

    /** Ignores NULL literals unless all are. */
    static SqlType commonType(List<Fragment> fragments) {
        SqlType type = null;
        for (Fragment fragment : fragments) {
            boolean untyped = fragment.isNullLiteral() && fragment.type().name() == Name.INT;
            if (!untyped) {
                type = type == null ? fragment.type() : Types.common(type, fragment.type());
            }
        }
        return type == null ? Types.INT : type;
    }

    private Fragment scalar(Expr.Subquery subquery, Scope scope) {
        Fragment.Table table = queries.render(subquery.query(), scope);
        if (table.outputs().size() != 1) {
            String text = "Only one expression can be specified in the select list when the subquery is not"
                    + " introduced with EXISTS.";
            throw new SqlError(116, 16, 1, SqlError.Effect.BATCH, text);
        }
        Fragment column = table.outputs().getFirst().fragment();
        return Fragment.expression("(" + table.sql() + ")", column.type());
    }
}
