package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders trees as statements that H2 can run: queries, expressions and conditions. */
public final class Renderer {
    private Renderer() {}

    public static Rendered query(Query query, Environment environment) {
        Rendering rendering = new Rendering(environment, false);
        Fragment.Table table = new QueryRenderer(rendering).render(query, null);
        List<Column> columns = new ArrayList<>();
        for (Fragment.Output output : table.outputs()) {
            Fragment fragment = output.fragment();
            columns.add(new Column(output.name(), fragment.type(), fragment.nullable(), fragment.identity()));
        }
        return rendering.finish(table.sql(), columns, constants(query, table));
    }

    /** A query of constants alone, such as SELECT @@SPID, needs no H2. */
    private static @Nullable List<@Nullable Object> constants(Query query, Fragment.Table table) {
        if (!(query.body() instanceof Query.Select select)) {
            return null;
        }
        boolean plain = select.from().isEmpty() && select.where() == null && select.having() == null;
        if (!plain || select.top() != null || query.offset() != null) {
            return null;
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (Fragment.Output output : table.outputs()) {
            TypedValue constant = output.fragment().constant();
            if (constant == null) {
                return null;
            }
            values.add(constant.value());
        }
        return values;
    }

    /**
     * One value.
     *
     * @param type the type to convert it to, or null for its own
     */
    public static Rendered scalar(Expr expr, @Nullable SqlType type, Environment environment) {
        Rendering rendering = new Rendering(environment, false);
        Fragment fragment = new QueryRenderer(rendering).exprs().render(expr, new Scope(null));
        if (type != null) {
            fragment = rendering.convert(fragment, type, -1, false);
        }
        TypedValue constant = fragment.constant();
        Column column = new Column("", fragment.type(), fragment.nullable(), false);
        List<@Nullable Object> constants = null;
        if (constant != null) {
            constants = new ArrayList<>();
            constants.add(constant.value());
        }
        return rendering.finish("SELECT " + fragment.sql(), List.of(column), constants);
    }

    /** A condition as a column that is 1 if it holds. */
    public static Rendered condition(Condition condition, Environment environment) {
        Rendering rendering = new Rendering(environment, false);
        String sql = new QueryRenderer(rendering).exprs().conditions().render(condition, new Scope(null));
        Column column = new Column("", Types.INT, false, false);
        return rendering.finish("SELECT CASE WHEN " + sql + " THEN 1 ELSE 0 END", List.of(column), null);
    }

    /** The condition of a CHECK constraint, for H2's own schema. */
    public static String check(Condition condition, Table table, Environment environment) {
        Rendering rendering = new Rendering(environment, true);
        Scope scope = new Scope(null);
        scope.add(new Scope.Source(table.name(), "", FromRenderer.columns(table)));
        return new QueryRenderer(rendering).exprs().conditions().render(condition, scope);
    }
}
