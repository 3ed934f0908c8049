package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renders INSERT, UPDATE and DELETE as H2's SQL. An INSERT names every column and gives all defaults, identity values and row
 * versions, so that H2 need not know them.
 */
public final class DmlRenderer {
    private final Rendering rendering;
    private final QueryRenderer queries;
    private final ExprRenderer exprs;
    private final Table table;
    private final ColumnValues columnValues;

    private DmlRenderer(Table table, Environment environment) {
        this.table = table;
        this.rendering = new Rendering(environment, false);
        this.queries = new QueryRenderer(rendering);
        this.exprs = queries.exprs();
        this.columnValues = new ColumnValues(rendering, exprs, table);
        rendering.readsTable();
    }

    public static Rendered insert(Statement.Insert insert, Table table, Environment environment) {
        return new DmlRenderer(table, environment).insert(insert);
    }

    /** An INSERT that is executed once per row, with the row's values as parameters in the order of the columns. */
    public static Rendered insertRows(Table table, List<String> columns, Environment environment) {
        return new DmlRenderer(table, environment).insertRows(columns);
    }

    /** @param limit the value of SET ROWCOUNT, or 0 */
    public static Rendered update(Statement.Update update, Table table, Environment environment, long limit) {
        return new DmlRenderer(table, environment).update(update, limit);
    }

    public static Rendered delete(Statement.Delete delete, Table table, Environment environment, long limit) {
        return new DmlRenderer(table, environment).delete(delete, limit);
    }

    private Rendered insert(Statement.Insert insert) {
        List<TableColumn> targets = targets(insert.columns());
        Query source = insert.source();
        String rows;
        if (source == null) {
            rows = "VALUES " + row(List.of(), List.of(), new Scope(null));
        } else if (source.body() instanceof Query.Values values) {
            rows = "VALUES "
                    + values.rows().stream()
                            .map(row -> row(targets, row, new Scope(null)))
                            .collect(Collectors.joining(", "));
        } else {
            rows = select(targets, source);
        }
        String sql = insertInto() + rows;
        return insert.output().isEmpty() ? rendering.finish(sql, List.of(), null) : withOutput(sql, insert.output());
    }

    private String insertInto() {
        return table.columns().stream()
                .map(column -> FromRenderer.quoted(column.name()))
                .collect(Collectors.joining(", ", "INSERT INTO " + table.h2Name() + " (", ") "));
    }

    private Rendered insertRows(List<String> names) {
        List<TableColumn> targets = targets(names);
        rendering.reserve(targets.size());
        StringBuilder values = new StringBuilder();
        for (TableColumn column : table.columns()) {
            int index = targets.indexOf(column);
            values.append(values.isEmpty() ? "" : ", ");
            values.append(
                    index >= 0
                            ? "?" + (index + 1)
                            : columnValues.missing(column).sql());
        }
        return rendering.finish(insertInto() + "VALUES (" + values + ")", List.of(), null);
    }

    private List<TableColumn> targets(List<String> names) {
        List<TableColumn> targets = new ArrayList<>();
        boolean explicit = rendering.environment().insertsIdentity(table.id());
        if (names.isEmpty()) {
            for (TableColumn column : table.columns()) {
                if (!column.isGenerated()) {
                    targets.add(column);
                }
            }
            return targets;
        }
        for (String name : names) {
            TableColumn column = require(name);
            if (column.identity() != null && !explicit) {
                String text = "Cannot insert explicit value for identity column in table '" + table.name()
                        + "' when IDENTITY_INSERT is set to OFF.";
                throw new SqlError(544, 16, 1, SqlError.Effect.STATEMENT, text);
            }
            if (column.type().name() == SqlType.Name.ROWVERSION) {
                String text =
                        "Cannot insert an explicit value into a timestamp column. Use INSERT with a column list to"
                                + " exclude the timestamp column, or insert a DEFAULT into the timestamp column.";
                throw new SqlError(273, 16, 1, SqlError.Effect.STATEMENT, text);
            }
            if (targets.contains(column)) {
                String text =
                        "The column name '" + name + "' is specified more than once in the SET clause or column list"
                                + " of an INSERT. A column cannot be assigned more than one value in the same clause. Modify the"
                                + " clause to make sure that a column is updated only once. If this statement updates or inserts"
                                + " columns into a view, column aliasing can conceal the duplication in your code.";
                throw new SqlError(264, 16, 1, SqlError.Effect.BATCH, text);
            }
            targets.add(column);
        }
        return targets;
    }

    private TableColumn require(String name) {
        TableColumn column = table.column(name);
        if (column == null) {
            throw SqlError.invalidColumn(name);
        }
        return column;
    }

    private String row(List<TableColumn> targets, List<Expr> values, Scope scope) {
        if (values.size() != targets.size()) {
            throw countMismatch(targets.size(), values.size());
        }
        List<String> parts = new ArrayList<>();
        for (TableColumn column : table.columns()) {
            int index = targets.indexOf(column);
            boolean isDefault = index < 0
                    || (values.get(index) instanceof Expr.Call call
                            && call.name().equals(Statement.DEFAULT_MARK));
            parts.add(
                    isDefault
                            ? columnValues.missing(column).sql()
                            : columnValues
                                    .assigned(column, exprs.render(values.get(index), scope))
                                    .sql());
        }
        return "(" + String.join(", ", parts) + ")";
    }

    private static SqlError countMismatch(int columns, int values) {
        boolean fewer = values < columns;
        String text =
                "There are " + (fewer ? "more" : "fewer") + " columns in the INSERT statement than values specified"
                        + " in the VALUES clause. The number of values in the VALUES clause must match the number of columns"
                        + " specified in the INSERT statement.";
        return new SqlError(fewer ? 109 : 110, 15, 1, SqlError.Effect.BATCH, text);
    }

    private String select(List<TableColumn> targets, Query source) {
        Fragment.Table rows = queries.render(source, null);
        if (rows.outputs().size() != targets.size()) {
            boolean fewer = rows.outputs().size() < targets.size();
            String text = "The select list for the INSERT statement contains " + (fewer ? "fewer" : "more")
                    + " items than the insert list. The number of SELECT values must match the number of INSERT columns.";
            throw new SqlError(fewer ? 120 : 121, 15, 1, SqlError.Effect.BATCH, text);
        }
        String alias = rendering.newAlias();
        List<String> parts = new ArrayList<>();
        for (TableColumn column : table.columns()) {
            int index = targets.indexOf(column);
            if (index < 0) {
                parts.add(columnValues.missing(column).sql());
                continue;
            }
            Fragment.Output output = rows.outputs().get(index);
            Fragment value = output.fragment()
                    .as(alias + "." + output.h2Name(), output.fragment().type());
            parts.add(columnValues.assigned(column, value).sql());
        }
        return "SELECT " + String.join(", ", parts) + " FROM (" + rows.sql() + ") " + alias;
    }

    private Rendered withOutput(String insert, List<Statement.OutputItem> output) {
        Scope scope = new Scope(null);
        String alias = rendering.newAlias();
        scope.add(new Scope.Source("inserted", alias, FromRenderer.columns(table)));
        List<Column> columns = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        for (Statement.OutputItem item : output) {
            if (item.expr() instanceof Expr.Star) {
                for (TableColumn column : table.columns()) {
                    parts.add(alias + "." + FromRenderer.quoted(column.name()));
                    columns.add(column.toColumn());
                }
                continue;
            }
            Fragment fragment = exprs.render(item.expr(), scope);
            String name =
                    item.expr() instanceof Expr.ColumnRef column && item.alias().isEmpty()
                            ? column.name()
                            : item.alias();
            parts.add(fragment.sql());
            columns.add(new Column(name, fragment.type(), fragment.nullable(), fragment.identity()));
        }
        String sql = "SELECT " + String.join(", ", parts) + " FROM FINAL TABLE (" + insert + ") " + alias;
        return rendering.finish(sql, columns, null);
    }

    private Rendered update(Statement.Update update, long limit) {
        if (!update.from().isEmpty()) {
            return updateFrom(update);
        }
        Scope scope = new Scope(null);
        String target = queries.froms().table(table, table.name(), scope);
        String alias = scope.sources().getFirst().h2Alias();
        StringBuilder sql = new StringBuilder("UPDATE ").append(target).append(" SET ");
        List<String> parts = new ArrayList<>();
        for (Statement.SetClause clause : update.set()) {
            TableColumn column = updatable(clause);
            parts.add(FromRenderer.quoted(column.name()) + " = "
                    + newValue(column, clause, scope).sql());
        }
        addRowVersion(parts);
        sql.append(String.join(", ", parts));
        sql.append(where(update.where(), scope));
        limit(sql, update.top(), limit, scope);
        return rendering.finish(sql.toString().replace(target, table.h2Name() + " AS " + alias), List.of(), null);
    }

    private String where(@Nullable Condition condition, Scope scope) {
        return condition == null ? "" : " WHERE " + exprs.conditions().render(condition, scope);
    }

    private void addRowVersion(List<String> parts) {
        for (TableColumn column : table.columns()) {
            if (column.type().name() == SqlType.Name.ROWVERSION) {
                parts.add(FromRenderer.quoted(column.name()) + " = "
                        + columnValues.rowVersion(column).sql());
            }
        }
    }

    private TableColumn updatable(Statement.SetClause clause) {
        if (!clause.variable().isEmpty()) {
            throw SqlError.unsupported("UPDATE that sets a variable");
        }
        TableColumn column = require(clause.column());
        if (column.identity() != null) {
            String text = "Cannot update identity column '" + column.name() + "'.";
            throw new SqlError(8102, 16, 1, SqlError.Effect.STATEMENT, text);
        }
        if (column.type().name() == SqlType.Name.ROWVERSION) {
            throw new SqlError(272, 16, 1, SqlError.Effect.STATEMENT, "Cannot update a timestamp column.");
        }
        return column;
    }

    private Fragment newValue(TableColumn column, Statement.SetClause clause, Scope scope) {
        boolean isDefault =
                clause.value() instanceof Expr.Call call && call.name().equals(Statement.DEFAULT_MARK);
        return isDefault
                ? columnValues.missing(column)
                : columnValues.assigned(column, exprs.render(clause.value(), scope));
    }

    private void limit(StringBuilder sql, Query.@Nullable Top top, long limit, Scope scope) {
        if (top != null) {
            if (top.percent()) {
                throw SqlError.unsupported("TOP PERCENT of rows to change");
            }
            sql.append(" FETCH FIRST ")
                    .append(exprs.render(top.count(), scope).sql())
                    .append(" ROWS ONLY");
        } else if (limit > 0) {
            sql.append(" FETCH FIRST ").append(limit).append(" ROWS ONLY");
        }
    }

    /** Renders UPDATE … FROM as H2's MERGE, joined to the target by the row's own number. */
    private Rendered updateFrom(Statement.Update update) {
        Scope scope = new Scope(null);
        String from = queries.froms().render(update.from(), scope);
        String alias = targetAlias(update.table().name(), scope);
        String merged = rendering.newAlias();
        List<String> values = new ArrayList<>();
        List<String> sets = new ArrayList<>();
        for (Statement.SetClause clause : update.set()) {
            TableColumn column = updatable(clause);
            values.add(newValue(column, clause, scope).sql() + " AS \"v" + values.size() + "\"");
            sets.add(FromRenderer.quoted(column.name()) + " = " + merged + ".\"v" + sets.size() + "\"");
        }
        addRowVersion(sets);
        String where = where(update.where(), scope);
        String sql = "MERGE INTO " + table.h2Name() + " \"target\" USING (SELECT " + alias + "._ROWID_ AS \"rid\", "
                + String.join(", ", values) + " FROM " + from + where + ") " + merged + " ON \"target\"._ROWID_ = "
                + merged + ".\"rid\" WHEN MATCHED THEN UPDATE SET " + String.join(", ", sets);
        return rendering.finish(sql, List.of(), null);
    }

    private static String targetAlias(String name, Scope scope) {
        for (Scope.Source source : scope.sources()) {
            if (source.name().equalsIgnoreCase(name)) {
                return source.h2Alias();
            }
        }
        throw SqlError.invalidObject(name);
    }

    private Rendered delete(Statement.Delete delete, long limit) {
        Scope scope = new Scope(null);
        StringBuilder sql = new StringBuilder("DELETE FROM ");
        if (!delete.from().isEmpty()) {
            String from = queries.froms().render(delete.from(), scope);
            String where = where(delete.where(), scope);
            String alias = targetAlias(delete.table().name(), scope);
            sql.append(table.h2Name())
                    .append(" WHERE _ROWID_ IN (SELECT " + alias + "._ROWID_ FROM " + from + where + ")");
            return rendering.finish(sql.toString(), List.of(), null);
        }
        sql.append(queries.froms().table(table, table.name(), scope));
        sql.append(where(delete.where(), scope));
        limit(sql, delete.top(), limit, scope);
        return rendering.finish(sql.toString(), List.of(), null);
    }
}
