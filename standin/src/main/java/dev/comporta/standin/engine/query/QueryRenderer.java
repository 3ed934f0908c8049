package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders queries as H2's SQL. Output columns get unique names (c1, c2…): T-SQL's may repeat or be missing. */
final class QueryRenderer {
    private final Rendering rendering;
    private final ExprRenderer exprs;
    private final FromRenderer froms;

    QueryRenderer(Rendering rendering) {
        this.rendering = rendering;
        this.exprs = new ExprRenderer(rendering, this);
        this.froms = new FromRenderer(rendering, exprs, this);
    }

    ExprRenderer exprs() {
        return exprs;
    }

    FromRenderer froms() {
        return froms;
    }

    Fragment.Table render(Query query, @Nullable Scope outer) {
        froms.push(query.with());
        try {
            return query.body() instanceof Query.Select select
                    ? select(select, query, outer)
                    : combination(query, outer);
        } finally {
            froms.pop(query.with());
        }
    }

    private Fragment.Table combination(Query query, @Nullable Scope outer) {
        Fragment.Table table = body(query.body(), outer, null);
        StringBuilder sql = new StringBuilder(table.sql());
        orderBy(sql, query.orderBy(), table.outputs(), null);
        paging(sql, query, null, outer);
        return new Fragment.Table(sql.toString(), table.outputs());
    }

    private Fragment.Table body(Query.Body body, @Nullable Scope outer, @Nullable List<SqlType> wanted) {
        return switch (body) {
            case Query.Select select -> {
                Query alone = new Query(List.of(), select, List.of(), null, null);
                yield coerced(select(select, alone, outer), wanted);
            }
            case Query.Nested nested -> {
                Fragment.Table inner = render(nested.query(), outer);
                yield coerced(new Fragment.Table("(" + inner.sql() + ")", inner.outputs()), wanted);
            }
            case Query.Values values -> values(values, outer);
            case Query.Combined combined -> combined(combined, outer, wanted);
        };
    }

    /** Both sides must have the same types: they are rendered to find the types, and again if these differ. */
    private Fragment.Table combined(Query.Combined combined, @Nullable Scope outer, @Nullable List<SqlType> wanted) {
        Rendering.Mark mark = rendering.mark();
        Fragment.Table left = body(combined.left(), outer, wanted);
        Fragment.Table right = body(combined.right(), outer, wanted);
        if (left.outputs().size() != right.outputs().size()) {
            String text =
                    "All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of"
                            + " expressions in their target lists.";
            throw new SqlError(205, 16, 1, SqlError.Effect.BATCH, text);
        }
        List<SqlType> types = new ArrayList<>();
        List<Fragment.Output> outputs = new ArrayList<>();
        for (int i = 0; i < left.outputs().size(); i++) {
            Fragment.Output l = left.outputs().get(i);
            Fragment r = right.outputs().get(i).fragment();
            SqlType type = ExprRenderer.commonType(List.of(l.fragment(), r));
            types.add(type);
            boolean nullable = l.fragment().nullable() || r.nullable();
            Fragment column = nullable ? Fragment.expression(l.h2Name(), type) : Fragment.required(l.h2Name(), type);
            outputs.add(new Fragment.Output(l.name(), l.h2Name(), column));
        }
        if (wanted == null && differs(types, left, right)) {
            rendering.back(mark);
            left = body(combined.left(), outer, types);
            right = body(combined.right(), outer, types);
        }
        String operator = switch (combined.operator()) {
            case UNION -> " UNION ";
            case UNION_ALL -> " UNION ALL ";
            case EXCEPT -> " EXCEPT ";
            case INTERSECT -> " INTERSECT ";
        };
        return new Fragment.Table("(" + left.sql() + operator + right.sql() + ")", outputs);
    }

    private static boolean differs(List<SqlType> types, Fragment.Table left, Fragment.Table right) {
        for (int i = 0; i < types.size(); i++) {
            SqlType l = left.outputs().get(i).fragment().type();
            SqlType r = right.outputs().get(i).fragment().type();
            if (!l.equals(types.get(i)) || !r.equals(types.get(i))) {
                return true;
            }
        }
        return false;
    }

    private Fragment.Table coerced(Fragment.Table table, @Nullable List<SqlType> wanted) {
        if (wanted == null || wanted.size() != table.outputs().size()) {
            return table;
        }
        String alias = rendering.newAlias();
        StringBuilder sql = new StringBuilder("SELECT ");
        List<Fragment.Output> outputs = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            Fragment.Output output = table.outputs().get(i);
            Fragment inner = output.fragment();
            String reference = alias + "." + output.h2Name();
            Fragment column = inner.isNullLiteral()
                    ? rendering.constant(wanted.get(i), null)
                    : rendering.coerce(inner.as(reference, inner.type()), wanted.get(i));
            sql.append(i > 0 ? ", " : "").append(column.sql()).append(" AS ").append(output.h2Name());
            outputs.add(new Fragment.Output(output.name(), output.h2Name(), column));
        }
        sql.append(" FROM (").append(table.sql()).append(") ").append(alias);
        return new Fragment.Table(sql.toString(), outputs);
    }

    private Fragment.Table values(Query.Values values, @Nullable Scope outer) {
        Scope scope = new Scope(outer);
        List<List<Fragment>> rows = new ArrayList<>();
        for (List<Expr> row : values.rows()) {
            rows.add(exprs.renderAll(row, scope));
        }
        int width = rows.getFirst().size();
        List<Fragment.Output> outputs = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            List<Fragment> column = new ArrayList<>();
            for (List<Fragment> row : rows) {
                if (row.size() != width) {
                    throw SqlError.statement(
                            10709,
                            16,
                            1,
                            "The number of columns for each row in a table value constructor must be the same.");
                }
                column.add(row.get(i));
            }
            SqlType type = ExprRenderer.commonType(column);
            String h2Name = "\"c" + (i + 1) + "\"";
            outputs.add(new Fragment.Output("", h2Name, Fragment.expression(h2Name, type)));
        }
        StringBuilder sql = new StringBuilder();
        for (List<Fragment> row : rows) {
            sql.append(sql.isEmpty() ? "SELECT " : " UNION ALL SELECT ");
            for (int i = 0; i < width; i++) {
                Fragment.Output output = outputs.get(i);
                sql.append(i > 0 ? ", " : "")
                        .append(rendering
                                .coerce(row.get(i), output.fragment().type())
                                .sql())
                        .append(" AS ")
                        .append(output.h2Name());
            }
        }
        return new Fragment.Table(sql.toString(), outputs);
    }

    private Fragment.Table select(Query.Select select, Query query, @Nullable Scope outer) {
        Scope scope = new Scope(outer);
        String from = froms.render(select.from(), scope);
        List<Fragment.Output> outputs = outputs(select, scope);
        StringBuilder sql = new StringBuilder("SELECT ");
        if (select.distinct()) {
            sql.append("DISTINCT ");
        }
        for (int i = 0; i < outputs.size(); i++) {
            Fragment.Output output = outputs.get(i);
            sql.append(i > 0 ? ", " : "")
                    .append(output.fragment().sql())
                    .append(" AS ")
                    .append(output.h2Name());
        }
        if (!from.isEmpty()) {
            sql.append(" FROM ").append(from);
        }
        if (select.where() != null) {
            sql.append(" WHERE ").append(exprs.conditions().render(select.where(), scope));
        }
        groupBy(sql, select, scope);
        orderBy(sql, query.orderBy(), outputs, scope);
        paging(sql, query, select.top(), scope);
        return new Fragment.Table(sql.toString(), outputs);
    }

    private void groupBy(StringBuilder sql, Query.Select select, Scope scope) {
        if (!select.groupBy().isEmpty()) {
            sql.append(" GROUP BY ").append(exprs.renderList(select.groupBy(), scope));
        }
        if (select.having() != null) {
            sql.append(" HAVING ").append(exprs.conditions().render(select.having(), scope));
        }
    }

    private List<Fragment.Output> outputs(Query.Select select, Scope scope) {
        List<Fragment.Output> outputs = new ArrayList<>();
        for (Query.Item item : select.items()) {
            if (item.expr() instanceof Expr.Star star) {
                expand(star, scope, outputs);
                continue;
            }
            String name = item.alias();
            if (name.isEmpty() && item.expr() instanceof Expr.ColumnRef column) {
                name = column.name();
            }
            outputs.add(new Fragment.Output(name, h2Name(outputs), exprs.render(item.expr(), scope)));
        }
        return outputs;
    }

    private static String h2Name(List<Fragment.Output> outputs) {
        return "\"c" + (outputs.size() + 1) + "\"";
    }

    private static void expand(Expr.Star star, Scope scope, List<Fragment.Output> outputs) {
        boolean found = false;
        for (Scope.Source source : scope.sources()) {
            boolean named = !star.qualifier().isEmpty();
            if (named && !source.name().equalsIgnoreCase(star.qualifier().getLast())) {
                continue;
            }
            found = true;
            for (Scope.SourceColumn column : source.columns()) {
                outputs.add(new Fragment.Output(column.name(), h2Name(outputs), source.column(column)));
            }
        }
        if (!found) {
            String text = star.qualifier().isEmpty()
                    ? "Must specify table to select from."
                    : "The column prefix '" + star.qualifier().getLast()
                            + "' does not match with a table name or alias name used in the query.";
            int number = star.qualifier().isEmpty() ? 263 : 107;
            throw new SqlError(number, 16, 1, SqlError.Effect.SCOPE, text);
        }
    }

    private void orderBy(
            StringBuilder sql, List<Query.Order> orders, List<Fragment.Output> outputs, @Nullable Scope scope) {
        String separator = " ORDER BY ";
        for (Query.Order order : orders) {
            sql.append(separator).append(orderKey(order.expr(), outputs, scope));
            sql.append(order.descending() ? " DESC" : "");
            separator = ", ";
        }
    }

    /** The name of an output has priority over a column of the same name; a number is a position. */
    private String orderKey(Expr expr, List<Fragment.Output> outputs, @Nullable Scope scope) {
        if (expr instanceof Expr.Literal literal && literal.value() instanceof Integer position) {
            if (position < 1 || position > outputs.size()) {
                String text = "The ORDER BY position number " + position
                        + " is out of range of the number of items in the select list.";
                throw new SqlError(108, 16, 1, SqlError.Effect.BATCH, text);
            }
            return position.toString();
        }
        if (expr instanceof Expr.ColumnRef column && column.qualifier().isEmpty()) {
            for (int i = 0; i < outputs.size(); i++) {
                if (outputs.get(i).name().equalsIgnoreCase(column.name())) {
                    return String.valueOf(i + 1);
                }
            }
        }
        if (scope == null) {
            String text =
                    "ORDER BY items must appear in the select list if the statement contains a UNION, INTERSECT or"
                            + " EXCEPT operator.";
            throw new SqlError(104, 16, 1, SqlError.Effect.BATCH, text);
        }
        Fragment key = exprs.render(expr, scope);
        if (key.constant() != null && !(expr instanceof Expr.Subquery)) {
            // H2 treats a bare number as a position; SQL Server refuses constants, except in a subquery.
            String text = "A constant expression was encountered in the ORDER BY list, position 1.";
            throw new SqlError(408, 16, 1, SqlError.Effect.BATCH, text);
        }
        return key.sql();
    }

    private void paging(StringBuilder sql, Query query, Query.@Nullable Top top, @Nullable Scope outer) {
        Scope scope = new Scope(outer);
        if (top != null) {
            Fragment count = exprs.render(top.count(), scope);
            sql.append(" FETCH FIRST ").append(count.sql());
            sql.append(top.percent() ? " PERCENT ROWS " : " ROWS ");
            sql.append(top.withTies() ? "WITH TIES" : "ONLY");
        }
        if (query.offset() != null) {
            Fragment rows = rendering.coerce(exprs.render(query.offset(), scope), Types.BIGINT);
            sql.append(" OFFSET ").append(rows.sql()).append(" ROWS");
        }
        if (query.fetch() != null) {
            Fragment rows = rendering.coerce(exprs.render(query.fetch(), scope), Types.BIGINT);
            sql.append(" FETCH NEXT ").append(rows.sql()).append(" ROWS ONLY");
        }
    }
}
