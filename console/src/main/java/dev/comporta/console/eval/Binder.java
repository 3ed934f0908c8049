package dev.comporta.console.eval;

import dev.comporta.console.eval.function.ExprBinder;
import dev.comporta.console.eval.function.Functions;
import dev.comporta.console.eval.function.Globals;
import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.eval.scalar.Texts;
import dev.comporta.console.eval.scalar.Types;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.Position;
import dev.comporta.console.sql.Query;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.value.Arithmetic;
import dev.comporta.console.value.TypedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resolves the names of an expression in its scope and finds its type, before the first row is read. */
final class Binder implements ExprBinder {
    private static final Map<String, Arithmetic> OPERATORS = Map.of(
            "+", Arithmetic.ADD,
            "-", Arithmetic.SUBTRACT,
            "*", Arithmetic.MULTIPLY,
            "/", Arithmetic.DIVIDE,
            "%", Arithmetic.MODULO);

    private final Surroundings surroundings;
    private final Scope scope;
    private final @Nullable Grouping grouping;
    private final Conditions conditions;

    Binder(Surroundings surroundings, Scope scope, @Nullable Grouping grouping) {
        this.surroundings = surroundings;
        this.scope = scope;
        this.grouping = grouping;
        this.conditions = new Conditions(this, surroundings);
    }

    @Override
    public Bound.Condition condition(Expr expr) {
        return conditions.bind(expr);
    }

    @Override
    public Bound bind(Expr expr) {
        if (grouping != null) {
            Bound grouped = grouping.bind(expr, scope);
            if (grouped != null) {
                return grouped;
            }
        }
        return switch (expr) {
            case Expr.Literal literal -> literal(literal.value());
            case Expr.Name name -> column(name);
            case Expr.Variable variable -> variable(variable);
            case Expr.Global global -> Globals.bind(global, surroundings);
            case Expr.Negative negative -> negative(negative);
            case Expr.Calculation calculation -> calculation(calculation);
            case Expr.Case choice -> choice(choice);
            case Expr.Cast cast -> Casts.bind(cast, bind(cast.operand()));
            case Expr.Call call -> call(call);
            case Expr.Subquery query -> subquery(query);
            case Expr.Comparison _,
                    Expr.And _,
                    Expr.Or _,
                    Expr.Not _,
                    Expr.IsNull _,
                    Expr.In _,
                    Expr.InQuery _,
                    Expr.Between _,
                    Expr.Like _,
                    Expr.Exists _ ->
                throw new SqlError(
                        102,
                        expr.at(),
                        "A condition stands where a value is expected. Write CASE WHEN … THEN 1 ELSE 0 END.");
        };
    }

    List<Bound> bindAll(List<Expr> exprs) {
        List<Bound> bound = new ArrayList<>();
        for (Expr expr : exprs) {
            bound.add(bind(expr));
        }
        return bound;
    }

    /** Binds a query inside this expression. */
    BoundQuery query(Query query) {
        // A group has no single row once its aggregates are computed: a query inside can't refer to the columns of one.
        Scope around = grouping == null ? scope : new Scope(List.of(), scope.outer());
        return new QueryBinder(surroundings, around).bind(query);
    }

    private static Bound literal(@Nullable Object value) {
        if (value == null) {
            return new Bound(null, _ -> null);
        }
        TypedValue typed = TypedValue.of(value);
        return Bound.constant(typed.type(), typed.value());
    }

    private Bound column(Expr.Name name) {
        Scope.Slot slot = scope.resolve(name);
        if (grouping != null && slot.depth() == 0) {
            throw new SqlError(
                    8120,
                    name.at(),
                    "Column '" + name + "' is neither in GROUP BY nor inside an aggregate function such as MAX.");
        }
        return new Bound(slot.column().type(), frame -> frame.value(slot.depth(), slot.index()));
    }

    private Bound variable(Expr.Variable variable) {
        TypedValue value = surroundings.variables().get(variable.name());
        if (value == null) {
            String nearest = NearestName.among(surroundings.variables().keySet(), variable.name())
                    .map(near -> " Did you mean " + near + "?")
                    .orElse("");
            throw new SqlError(137, variable.at(), "No value is given for " + variable.name() + "." + nearest);
        }
        return Bound.constant(value.type(), value.value());
    }

    private Bound negative(Expr.Negative negative) {
        Bound operand = bind(negative.operand());
        ColumnType type = numeric(operand, operand, negative.at(), "-");
        Bound number = operand.as(type, negative.at());
        Object zero = zero(type);
        return Bound.guarded(type, negative.at(), frame -> {
            Object value = number.value(frame);
            return value == null ? null : Arithmetic.SUBTRACT.apply(type, zero, value);
        });
    }

    private static Object zero(ColumnType type) {
        if (type == ColumnType.FLOAT) {
            return 0.0;
        }
        if (type == ColumnType.BIGINT) {
            return 0L;
        }
        return 0;
    }

    private Bound calculation(Expr.Calculation calculation) {
        Bound left = bind(calculation.left());
        Bound right = bind(calculation.right());
        Position at = calculation.at();
        if (calculation.operator().equals("+") && areText(left, right)) {
            return Bound.guarded(ColumnType.NVARCHAR, at, frame -> Texts.join(left.value(frame), right.value(frame)));
        }
        ColumnType type = numeric(left, right, at, calculation.operator());
        Arithmetic operator = operator(calculation.operator());
        Bound first = left.as(type, at);
        Bound second = right.as(type, at);
        return Bound.guarded(type, at, frame -> {
            Object a = first.value(frame);
            Object b = second.value(frame);
            return a == null || b == null ? null : operator.apply(type, a, b);
        });
    }

    private static Arithmetic operator(String symbol) {
        Arithmetic operator = OPERATORS.get(symbol);
        if (operator == null) {
            throw new IllegalStateException("no operator " + symbol);
        }
        return operator;
    }

    private static boolean areText(Bound left, Bound right) {
        boolean leftFits = left.type() == ColumnType.NVARCHAR || left.type() == null;
        boolean rightFits = right.type() == ColumnType.NVARCHAR || right.type() == null;
        return leftFits && rightFits && (left.type() != null || right.type() != null);
    }

    // Text is converted to a number when the other operand is one, as in T-SQL.
    private static ColumnType numeric(Bound left, Bound right, Position at, String operator) {
        ColumnType type = Types.common(List.of(left, right));
        if (type == null || type == ColumnType.BIT) {
            return ColumnType.INT;
        }
        if (!type.isNumeric()) {
            throw new SqlError(
                    8117,
                    at,
                    "Operand data type " + type.name().toLowerCase(Locale.ROOT) + " is invalid for operator "
                            + operator + "."
                            + (type == ColumnType.DATETIME2 ? " Use DATEADD or DATEDIFF." : ""));
        }
        return type;
    }

    private Bound choice(Expr.Case choice) {
        List<Bound.Condition> tests = new ArrayList<>();
        List<Bound> results = new ArrayList<>();
        for (Expr.When when : choice.whens()) {
            Expr subject = choice.subject();
            tests.add(
                    subject == null
                            ? condition(when.condition())
                            : conditions.compare(new Expr.Comparison(
                                    when.condition().at(), Expr.Relation.EQUAL, subject, when.condition())));
            results.add(bind(when.result()));
        }
        Expr otherwise = choice.otherwise();
        results.add(otherwise == null ? literal(null) : bind(otherwise));
        ColumnType type = Types.common(results);
        if (type == null) {
            return literal(null);
        }
        List<Bound> converted =
                results.stream().map(result -> result.as(type, choice.at())).toList();
        return new Bound(type, frame -> {
            for (int i = 0; i < tests.size(); i++) {
                if (Boolean.TRUE.equals(tests.get(i).holds(frame))) {
                    return converted.get(i).value(frame);
                }
            }
            return converted.getLast().value(frame);
        });
    }

    private Bound call(Expr.Call call) {
        if (Aggregate.isAggregate(call)) {
            throw new SqlError(
                    147, call.at(), call.name() + " may stand in the select list, HAVING and ORDER BY only.");
        }
        if (call.star() || call.distinct()) {
            throw new SqlError(102, call.at(), call.name() + " takes neither * nor DISTINCT.");
        }
        if (call.name().equals("IIF") && call.arguments().size() == 3) {
            Expr.When when =
                    new Expr.When(call.arguments().get(0), call.arguments().get(1));
            return choice(new Expr.Case(
                    call.at(), null, List.of(when), call.arguments().get(2)));
        }
        return Functions.bind(call, this, surroundings);
    }

    private Bound subquery(Expr.Subquery subquery) {
        BoundQuery query = query(subquery.query());
        if (query.columns().size() != 1) {
            throw new SqlError(116, subquery.at(), "A query that stands for a value must return one column.");
        }
        return new Bound(query.columns().getFirst().type(), frame -> {
            List<@Nullable Object[]> rows = query.rows(frame);
            if (rows.size() > 1) {
                throw new SqlError(
                        512, subquery.at(), "The subquery returned more than one row where one value is expected.");
            }
            return rows.isEmpty() ? null : rows.getFirst()[0];
        });
    }
}
