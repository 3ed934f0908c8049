package dev.comporta.standin.engine.query;

import dev.comporta.standin.engine.Column;
import dev.comporta.standin.engine.SqlError;
import dev.comporta.standin.engine.SqlType;
import dev.comporta.standin.engine.function.JavaFunction;
import dev.comporta.standin.engine.store.Relation;
import dev.comporta.standin.engine.type.TypedValue;
import dev.comporta.standin.engine.type.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the parameters, Java calls and aliases of a statement while it is rendered. */
final class Rendering {
    /** A state to return to if a part has to be rendered again. */
    record Mark(int parameters, int calls) {}

    private final Environment environment;
    private final List<@Nullable Object> parameters = new ArrayList<>();
    private final List<JavaCall> calls = new ArrayList<>();
    private final Map<String, Relation.SystemView> views = new HashMap<>();
    private final boolean inDefinition;
    private int aliases;
    private boolean readsTable;

    /** @param inDefinition whether H2 keeps the text in its schema, where parameters and calls are not allowed */
    Rendering(Environment environment, boolean inDefinition) {
        this.environment = environment;
        this.inDefinition = inDefinition;
    }

    Environment environment() {
        return environment;
    }

    /** Reserves the first parameters for values that are set at each execution. */
    void reserve(int count) {
        for (int i = 0; i < count; i++) {
            parameters.add(null);
        }
    }

    Mark mark() {
        return new Mark(parameters.size(), calls.size());
    }

    void back(Mark mark) {
        parameters.subList(mark.parameters, parameters.size()).clear();
        calls.subList(mark.calls, calls.size()).clear();
    }

    String newAlias() {
        return "\"s" + ++aliases + "\"";
    }

    void readsTable() {
        readsTable = true;
    }

    String view(Relation.SystemView view) {
        views.put(view.name(), view);
        return "SYSTEM_VIEW('" + view.name() + "')";
    }

    /** A known value: as text if it is short and safe, otherwise as a parameter. */
    Fragment constant(SqlType type, @Nullable Object value) {
        String sql;
        if (value == null) {
            sql = "CAST(NULL AS " + Types.h2(type) + ")";
        } else if (type.name() == SqlType.Name.SQL_VARIANT) {
            // H2 makes a JAVA_OBJECT only from a function's result of that type.
            sql = "F_OBJECT(" + calls.size() + ")";
            calls.add(new JavaCall(JavaFunction.lenient(0, 0, types -> type, arguments -> value), List.of()));
        } else if (value instanceof Integer number) {
            // Without the parentheses a negative number after a minus would begin a comment.
            sql = number < 0 ? "(" + number + ")" : number.toString();
        } else if (inDefinition) {
            sql = literal(type, value);
        } else {
            // One parameter for equal values: H2 matches GROUP BY with the select list by their text.
            int index = parameters.indexOf(value);
            if (index < 0) {
                index = parameters.size();
                parameters.add(value);
            }
            sql = "CAST(?" + (index + 1) + " AS " + parameterType(type) + ")";
        }
        return new Fragment(sql, type, value == null, false, Fragment.Kind.CONSTANT, new TypedValue(type, value));
    }

    private static String literal(SqlType type, Object value) {
        return switch (value) {
            case String text -> "CAST('" + text.replace("'", "''") + "' AS VARCHAR_IGNORECASE)";
            case Boolean flag -> flag.toString();
            case Number number -> "CAST(" + number + " AS " + Types.h2(type) + ")";
            default -> throw SqlError.unsupported("a constant of type " + Types.name(type) + " in a constraint");
        };
    }

    /** Text parameters have no length: H2 would truncate where SQL Server compares or fails. */
    private static String parameterType(SqlType type) {
        if (Types.isLarge(type)) {
            return Types.h2(type);
        }
        return Types.isText(type) ? "VARCHAR_IGNORECASE" : Types.isBinary(type) ? "VARBINARY" : Types.h2(type);
    }

    Fragment call(String name, JavaFunction function, List<Fragment> arguments) {
        if (arguments.size() < function.least() || arguments.size() > function.most()) {
            String text =
                    "The " + name.toLowerCase(Locale.ROOT) + " function requires " + function.least() + " argument(s).";
            throw new SqlError(174, 15, 1, SqlError.Effect.BATCH, text);
        }
        List<SqlType> types = arguments.stream().map(Fragment::type).toList();
        SqlType result = function.result().apply(types);
        Fragment folded = function.folds() ? folded(function, result, types, arguments) : null;
        if (folded != null) {
            return folded;
        }
        if (inDefinition) {
            throw SqlError.unsupported("the function " + name + " in a constraint");
        }
        StringBuilder sql =
                new StringBuilder(H2Functions.alias(result)).append('(').append(calls.size());
        for (Fragment argument : arguments) {
            sql.append(", ").append(argument.sql());
        }
        calls.add(new JavaCall(function, types));
        return Fragment.expression(caseless(sql.append(')').toString(), result), result);
    }

    /** Text that H2 groups, sorts and compares without regard to case. */
    static String caseless(String sql, SqlType type) {
        boolean plain = Types.isText(type) && !Types.isLarge(type);
        return plain ? "CAST(" + sql + " AS VARCHAR_IGNORECASE)" : sql;
    }

    /** Computes a call with constant arguments now; not if it fails, because the error must wait until the call is reached. */
    private @Nullable Fragment folded(
            JavaFunction function, SqlType result, List<SqlType> types, List<Fragment> arguments) {
        List<@Nullable Object> values = new ArrayList<>(arguments.size());
        for (Fragment argument : arguments) {
            TypedValue constant = argument.constant();
            if (constant == null) {
                return null;
            }
            values.add(constant.value());
        }
        try {
            return constant(result, function.body().apply(new JavaFunction.Arguments(types, values)));
        } catch (SqlError e) {
            return null;
        }
    }

    /** Converts an expression to another type by {@code Conversion}. */
    Fragment convert(Fragment from, SqlType to, int style, boolean orNull) {
        if (from.type().equals(to) && !orNull) {
            return from;
        }
        if (from.isNullLiteral()) {
            return constant(to, null);
        }
        SqlType source = from.type();
        var conversion = environment.conversion();
        JavaFunction.Body body = arguments -> {
            try {
                return conversion.convert(arguments.values().getFirst(), source, to, style);
            } catch (SqlError e) {
                if (orNull) {
                    return null;
                }
                throw e;
            }
        };
        JavaFunction function = new JavaFunction(1, 1, true, types -> to, body);
        Fragment result = call("convert", function, List.of(from));
        return result.constant() != null || !from.nullable() || orNull
                ? result
                : new Fragment(result.sql(), to, from.nullable(), false, Fragment.Kind.EXPRESSION, null);
    }

    /** Like {@link #convert}, for an implicit conversion: omitted where H2 compares or stores the value correctly. */
    Fragment coerce(Fragment from, SqlType to) {
        SqlType source = from.type();
        if (source.equals(to) || from.isNullLiteral()) {
            return from.isNullLiteral() ? constant(to, null) : from;
        }
        boolean sameText = Types.isText(source) && Types.isText(to);
        boolean sameBinary = Types.isBinary(source) && Types.isBinary(to);
        if (sameText || sameBinary) {
            return new Fragment(from.sql(), source, from.nullable(), false, from.kind(), from.constant());
        }
        boolean bothNumbers = Types.isNumber(source) && Types.isNumber(to);
        if (bothNumbers && from.constant() == null && !Types.isApproximate(source) && widens(source, to)) {
            return from.as("CAST(" + from.sql() + " AS " + Types.h2(to) + ")", to);
        }
        return convert(from, to, -1, false);
    }

    private static boolean widens(SqlType from, SqlType to) {
        if (Types.isInteger(from) && Types.isInteger(to)) {
            return Types.common(from, to).equals(to) && to.name() != SqlType.Name.BIT;
        }
        return Types.isInteger(from) && Types.isApproximate(to);
    }

    Rendered finish(String sql, List<Column> columns, @Nullable List<@Nullable Object> constants) {
        UsedParameters used = UsedParameters.of(sql, parameters);
        return new Rendered(used.sql(), used.values(), calls, views, columns, constants, readsTable);
    }
}
