package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders FROM as H2's SQL; each source enters the scope under an alias that is unique in the statement. */
final class FromRenderer {
    /** Limits the nesting of views: deeper ones can only be recursive. */
    private static final int MOST_NESTED = 32;

    private final Rendering rendering;
    private final ExprRenderer exprs;
    private final QueryRenderer queries;
    private final List<Query.Cte> commonTables = new ArrayList<>();
    private int nested;

    FromRenderer(Rendering rendering, ExprRenderer exprs, QueryRenderer queries) {
        this.rendering = rendering;
        this.exprs = exprs;
        this.queries = queries;
    }

    void push(List<Query.Cte> with) {
        commonTables.addAll(with);
    }

    void pop(List<Query.Cte> with) {
        commonTables
                .subList(commonTables.size() - with.size(), commonTables.size())
                .clear();
    }

    String render(List<Query.From> list, Scope scope) {
        StringBuilder sql = new StringBuilder();
        for (Query.From from : list) {
            sql.append(sql.isEmpty() ? "" : ", ").append(render(from, scope));
        }
        return sql.toString();
    }

    private String render(Query.From from, Scope scope) {
        return switch (from) {
            case Query.TableFrom table -> named(table, scope);
            case Query.Derived derived -> derived(derived.query(), derived.alias(), derived.columns(), scope);
            case Query.Join join -> join(join, scope);
        };
    }

    private String join(Query.Join join, Scope scope) {
        String left = render(join.left(), scope);
        String right = render(join.right(), scope);
        String keyword = switch (join.kind()) {
            case INNER -> " JOIN ";
            case LEFT -> " LEFT JOIN ";
            case RIGHT -> " RIGHT JOIN ";
            case FULL -> throw SqlError.unsupported("FULL JOIN");
            case CROSS -> " CROSS JOIN ";
        };
        String on = join.on() == null ? "" : " ON " + exprs.conditions().render(join.on(), scope);
        boolean rightJoin = join.right() instanceof Query.Join;
        return left + keyword + (rightJoin ? "(" + right + ")" : right) + on;
    }

    private String named(Query.TableFrom from, Scope scope) {
        ObjectName name = from.name();
        String known = from.alias().isEmpty() ? name.name() : from.alias();
        Query.Cte cte = commonTable(name);
        if (cte != null) {
            return derived(cte.query(), known, cte.columns(), scope);
        }
        return switch (rendering.environment().relation(name)) {
            case Table table -> table(table, known, scope);
            case Relation.View view -> derived(view.query(), known, view.columns(), scope);
            case Relation.SystemView view -> systemView(view, known, scope);
        };
    }

    private Query.@Nullable Cte commonTable(ObjectName name) {
        if (!name.schema().isEmpty()) {
            return null;
        }
        for (Query.Cte cte : commonTables.reversed()) {
            if (cte.name().equalsIgnoreCase(name.name())) {
                return cte;
            }
        }
        return null;
    }

    String table(Table table, String known, Scope scope) {
        rendering.readsTable();
        String alias = rendering.newAlias();
        scope.add(new Scope.Source(known, alias, columns(table)));
        return table.h2Name() + " " + alias;
    }

    static List<Scope.SourceColumn> columns(Table table) {
        List<Scope.SourceColumn> columns = new ArrayList<>();
        for (TableColumn column : table.columns()) {
            columns.add(new Scope.SourceColumn(
                    column.name(), quoted(column.name()), column.type(), column.nullable(), column.identity() != null));
        }
        return columns;
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private String systemView(Relation.SystemView view, String known, Scope scope) {
        String alias = rendering.newAlias();
        List<Scope.SourceColumn> columns = new ArrayList<>();
        for (Column column : view.columns()) {
            columns.add(new Scope.SourceColumn(
                    column.name(), quoted(column.name()), column.type(), column.nullable(), false));
        }
        scope.add(new Scope.Source(known, alias, columns));
        return rendering.view(view) + " " + alias;
    }

    private String derived(Query query, String known, List<String> names, Scope scope) {
        if (++nested > MOST_NESTED) {
            throw SqlError.unsupported("a query that refers to itself");
        }
        Fragment.Table table = queries.render(query, null);
        nested--;
        String alias = rendering.newAlias();
        List<Scope.SourceColumn> columns = new ArrayList<>();
        for (int i = 0; i < table.outputs().size(); i++) {
            Fragment.Output output = table.outputs().get(i);
            String name = i < names.size() ? names.get(i) : output.name();
            Fragment fragment = output.fragment();
            columns.add(new Scope.SourceColumn(
                    name, output.h2Name(), fragment.type(), fragment.nullable(), fragment.identity()));
        }
        scope.add(new Scope.Source(known, alias, columns));
        return "(" + table.sql() + ") " + alias;
    }
}
