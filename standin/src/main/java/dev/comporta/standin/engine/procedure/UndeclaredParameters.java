package dev.comporta.standin.engine.procedure;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.ast.Condition;
import dev.comporta.standin.engine.ast.Expr;
import dev.comporta.standin.engine.ast.ObjectName;
import dev.comporta.standin.engine.ast.Query;
import dev.comporta.standin.engine.ast.Statement;
import dev.comporta.standin.engine.evaluate.SessionEnvironment;
import dev.comporta.standin.engine.parse.Parser;
import dev.comporta.standin.engine.session.Frame;
import dev.comporta.standin.engine.store.Table;
import dev.comporta.standin.engine.store.TableColumn;
import dev.comporta.standin.engine.type.Types;
import dev.comporta.standin.engine.view.TypeCatalog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * sp_describe_undeclared_parameters: the type of each variable that a statement uses without declaring it, from the column
 * with which a comparison, an INSERT or a SET combines it. A variable without such a column is error 11521, as in SQL
 * Server when it can't deduce a type.
 */
final class UndeclaredParameters {
    private static final List<Column> COLUMNS = ResultColumns.of("""
            parameter_ordinal int, name sysname, suggested_system_type_id int,
            suggested_system_type_name nvarchar(256), suggested_max_length smallint,
            suggested_precision tinyint, suggested_scale tinyint, suggested_user_type_id int,
            suggested_user_type_database sysname, suggested_user_type_schema sysname,
            suggested_user_type_name sysname, suggested_assembly_qualified_type_name nvarchar(4000),
            suggested_xml_collection_id int, suggested_xml_collection_database sysname,
            suggested_xml_collection_schema sysname, suggested_xml_collection_name sysname,
            suggested_is_xml_document bit, suggested_is_case_sensitive bit,
            suggested_is_fixed_length_clr_type bit, suggested_is_input bit, suggested_is_output bit,
            formal_parameter_name sysname, suggested_tds_type_id int, suggested_tds_length int
            """);

    /** The type of a variable without a column so far; no column has this length. */
    private static final SqlType UNKNOWN = new SqlType(SqlType.Name.SQL_VARIANT, -2, 0, 0);

    private final SessionEnvironment environment;
    private final Map<String, SqlType> found = new LinkedHashMap<>();
    private final List<Table> tables = new ArrayList<>();

    private UndeclaredParameters(SessionEnvironment environment) {
        this.environment = environment;
    }

    static int run(SystemCall call) {
        Frame frame = Frame.called(call.caller(), call.output(), "");
        UndeclaredParameters search = new UndeclaredParameters(new SessionEnvironment(call.session(), frame));
        for (Statement statement : call.session().parse(call.requireText(0, "@tsql"))) {
            search.statement(statement);
        }
        for (Statement.ParameterDef declared : Parser.parameters(call.text(1, "@params"))) {
            search.found.remove(Frame.key(declared.name()));
        }
        List<@Nullable Object[]> rows = new ArrayList<>();
        search.found.forEach((name, type) -> rows.add(row(rows.size() + 1, name, type)));
        return call.result(COLUMNS, rows);
    }

    private static @Nullable Object[] row(int ordinal, String name, SqlType type) {
        if (type.equals(UNKNOWN)) {
            String text = "The type of the undeclared parameter '" + name + "' can't be deduced.";
            throw SqlError.statement(11521, 16, 1, text);
        }
        @Nullable Object[] row = new @Nullable Object[COLUMNS.size()];
        int id = type.name().id();
        row[0] = ordinal;
        row[1] = name;
        row[2] = id;
        row[3] = full(type);
        row[4] = (short) TypeCatalog.maxLength(type);
        row[5] = (short) TypeCatalog.precision(type);
        row[6] = (short) TypeCatalog.scale(type);
        for (int i = 16; i <= 18; i++) {
            row[i] = false;
        }
        row[19] = true;
        row[20] = false;
        row[22] = id;
        row[23] = TypeCatalog.maxLength(type);
        return row;
    }

    private static String full(SqlType type) {
        String name = Types.name(type);
        return switch (type.name()) {
            case DECIMAL, NUMERIC -> name + "(" + type.precision() + "," + type.scale() + ")";
            case CHAR, VARCHAR, NCHAR, NVARCHAR, BINARY, VARBINARY ->
                name + "(" + (type.length() == SqlType.MAX ? "max" : type.length()) + ")";
            case TIME, DATETIME2, DATETIMEOFFSET -> name + "(" + type.scale() + ")";
            default -> name;
        };
    }

    private void statement(Statement statement) {
        tables.clear();
        switch (statement) {
            case Statement.Select select -> query(select.query());
            case Statement.Insert insert -> insert(insert);
            case Statement.Update update -> {
                table(update.table());
                update.set().forEach(clause -> meets(clause.value(), column(clause.column())));
                where(update.where());
            }
            case Statement.Delete delete -> {
                table(delete.table());
                where(delete.where());
            }
            default -> {}
        }
    }

    private void table(ObjectName name) {
        if (environment.relation(name) instanceof Table table) {
            tables.add(table);
        }
    }

    private void insert(Statement.Insert insert) {
        Table into = environment.table(insert.table());
        List<TableColumn> targets = insert.columns().isEmpty()
                ? into.columns().stream()
                        .filter(column -> !column.isGenerated())
                        .toList()
                : insert.columns().stream().map(into::column).toList();
        if (insert.source() != null && insert.source().body() instanceof Query.Values values) {
            for (List<Expr> row : values.rows()) {
                for (int i = 0; i < row.size() && i < targets.size(); i++) {
                    TableColumn target = targets.get(i);
                    meets(row.get(i), target == null ? null : target.type());
                }
            }
        } else if (insert.source() != null) {
            query(insert.source());
        }
    }

    private void query(Query query) {
        if (query.body() instanceof Query.Select select) {
            select.from().forEach(this::from);
            select.items().forEach(item -> meets(item.expr(), null));
            where(select.where());
            where(select.having());
        }
    }

    private void from(Query.From from) {
        switch (from) {
            case Query.TableFrom table -> table(table.name());
            case Query.Derived derived -> query(derived.query());
            case Query.Join join -> {
                from(join.left());
                from(join.right());
                where(join.on());
            }
        }
    }

    private void where(@Nullable Condition condition) {
        switch (condition) {
            case null -> {}
            case Condition.Compare c -> pair(c.left(), c.right());
            case Condition.And c -> {
                where(c.left());
                where(c.right());
            }
            case Condition.Or c -> {
                where(c.left());
                where(c.right());
            }
            case Condition.Not c -> where(c.operand());
            case Condition.InList c -> c.values().forEach(value -> pair(c.operand(), value));
            case Condition.Between c -> {
                pair(c.operand(), c.low());
                pair(c.operand(), c.high());
            }
            case Condition.Like c -> pair(c.operand(), c.pattern());
            case Condition.InQuery c -> query(c.query());
            case Condition.Exists c -> query(c.query());
            case Condition.Quantified c -> query(c.query());
            case Condition.IsNull c -> meets(c.operand(), null);
        }
    }

    private void pair(Expr left, Expr right) {
        meets(left, typeOf(right));
        meets(right, typeOf(left));
    }

    private @Nullable SqlType typeOf(Expr expr) {
        return switch (expr) {
            case Expr.ColumnRef column -> column(column.name());
            case Expr.Literal literal -> literal.type();
            case Expr.Cast cast -> cast.type();
            default -> null;
        };
    }

    private @Nullable SqlType column(String name) {
        for (Table table : tables) {
            TableColumn column = table.column(name);
            if (column != null) {
                return column.type();
            }
        }
        return null;
    }

    private void meets(Expr expr, @Nullable SqlType type) {
        if (expr instanceof Expr.Variable variable) {
            SqlType met = type == null ? UNKNOWN : type;
            found.merge(Frame.key(variable.name()), met, (before, now) -> before.equals(UNKNOWN) ? now : before);
        } else if (expr instanceof Expr.Binary binary) {
            pair(binary.left(), binary.right());
        } else if (expr instanceof Expr.Cast cast) {
            meets(cast.operand(), cast.type());
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> meets(argument, null));
        }
    }
}
