package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.SqlType.Name;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.function.LikePattern;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;

/** Renders conditions as H2's SQL. Operands of different types are converted by SQL Server's precedence. */
record ConditionRenderer(Rendering rendering, ExprRenderer exprs, QueryRenderer queries) {
    String render(Condition condition, Scope scope) {
        return switch (condition) {
            case Condition.Compare c ->
                compare(c.operator(), exprs.render(c.left(), scope), exprs.render(c.right(), scope));
            case Condition.And c -> "(" + render(c.left(), scope) + " AND " + render(c.right(), scope) + ")";
            case Condition.Or c -> "(" + render(c.left(), scope) + " OR " + render(c.right(), scope) + ")";
            case Condition.Not c -> "(NOT " + render(c.operand(), scope) + ")";
            case Condition.IsNull c ->
                "(" + exprs.render(c.operand(), scope).sql() + (c.negated() ? " IS NOT NULL)" : " IS NULL)");
            case Condition.InList c -> inList(c, scope);
            case Condition.InQuery c -> inQuery(c, scope);
            case Condition.Between c -> between(c, scope);
            case Condition.Like c -> like(c, scope);
            case Condition.Exists c ->
                "EXISTS (" + queries.render(c.query(), scope).sql() + ")";
            case Condition.Quantified c -> quantified(c, scope);
        };
    }

    String compare(String operator, Fragment left, Fragment right) {
        SqlType common = ExprRenderer.commonType(List.of(left, right));
        return "(" + operand(left, common) + " " + operator + " " + operand(right, common) + ")";
    }

    /**
     * Renders an operand so that H2 compares it as SQL Server does: text without regard to case or trailing spaces of fixed
     * columns, bits as numbers.
     */
    private String operand(Fragment fragment, SqlType common) {
        if (Types.isText(common) && Types.isText(fragment.type())) {
            if (fragment.constant() != null) {
                return withoutTrailingSpaces(fragment);
            }
            boolean folded = fragment.kind() == Fragment.Kind.COLUMN && !Types.isLarge(fragment.type());
            return folded ? fragment.sql() : "CAST(" + fragment.sql() + " AS VARCHAR_IGNORECASE)";
        }
        if (fragment.isNullLiteral()) {
            return rendering
                    .constant(common.name() == Name.BIT ? Types.INT : common, null)
                    .sql();
        }
        if (Types.isNumber(common) && Types.isNumber(fragment.type())) {
            return exprs.number(fragment).sql();
        }
        if (Types.isTemporal(common) && Types.isTemporal(fragment.type())) {
            return fragment.type().name() == common.name()
                    ? fragment.sql()
                    : rendering.coerce(fragment, common).sql();
        }
        return rendering.coerce(fragment, common).sql();
    }

    /** Trailing spaces do not count in comparisons. */
    private String withoutTrailingSpaces(Fragment fragment) {
        boolean trailing =
                fragment.constant() != null && fragment.constant().value() instanceof String text && text.endsWith(" ");
        if (!trailing || fragment.constant() == null) {
            return fragment.sql();
        }
        String stripped = String.valueOf(fragment.constant().value()).stripTrailing();
        return rendering.constant(fragment.type(), stripped).sql();
    }

    private String inList(Condition.InList in, Scope scope) {
        Fragment left = exprs.render(in.operand(), scope);
        List<Fragment> all = new ArrayList<>();
        all.add(left);
        for (Expr value : in.values()) {
            all.add(exprs.render(value, scope));
        }
        SqlType common = ExprRenderer.commonType(all);
        StringBuilder sql =
                new StringBuilder("(").append(operand(left, common)).append(in.negated() ? " NOT IN (" : " IN (");
        for (int i = 1; i < all.size(); i++) {
            sql.append(i > 1 ? ", " : "").append(operand(all.get(i), common));
        }
        return sql.append("))").toString();
    }

    private String inQuery(Condition.InQuery in, Scope scope) {
        Fragment left = exprs.render(in.operand(), scope);
        Fragment.Table table = queries.render(in.query(), scope);
        Fragment column = table.outputs().getFirst().fragment();
        SqlType common = ExprRenderer.commonType(List.of(left, column));
        return "(" + operand(left, common) + (in.negated() ? " NOT IN (" : " IN (") + table.sql() + "))";
    }

    private String between(Condition.Between between, Scope scope) {
        Fragment operand = exprs.render(between.operand(), scope);
        String low = compare(">=", operand, exprs.render(between.low(), scope));
        String high = compare("<=", operand, exprs.render(between.high(), scope));
        return between.negated() ? "(NOT (" + low + " AND " + high + "))" : "(" + low + " AND " + high + ")";
    }

    private String like(Condition.Like like, Scope scope) {
        List<Fragment> arguments = new ArrayList<>();
        arguments.add(exprs.render(like.operand(), scope));
        arguments.add(exprs.render(like.pattern(), scope));
        if (like.escape() != null) {
            arguments.add(exprs.render(like.escape(), scope));
        }
        String sql = rendering.call("LIKE", LikePattern.FUNCTION, arguments).sql();
        return like.negated() ? "(NOT " + sql + ")" : sql;
    }

    private String quantified(Condition.Quantified quantified, Scope scope) {
        Fragment left = exprs.render(quantified.left(), scope);
        Fragment.Table table = queries.render(quantified.query(), scope);
        SqlType common =
                ExprRenderer.commonType(List.of(left, table.outputs().getFirst().fragment()));
        String quantifier = quantified.all() ? " ALL (" : " ANY (";
        return "(" + operand(left, common) + " " + quantified.operator() + quantifier + table.sql() + "))";
    }
}
