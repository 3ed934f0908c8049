package dev.comporta.console.eval.function;

import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.eval.scalar.Surroundings;
import dev.comporta.console.names.NearestName;
import dev.comporta.console.sql.Expr;
import dev.comporta.console.sql.SqlError;
import dev.comporta.console.table.ColumnType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The scalar functions, by name. */
public final class Functions {
    interface Binding {
        Bound bind(Invocation call);
    }

    record Definition(int least, int most, Binding binding) {
        /** A function that takes these arguments and returns NULL when one of them is NULL. */
        static Definition strict(ColumnType result, List<ColumnType> types, Invocation.Body body) {
            return new Definition(types.size(), types.size(), call -> call.strict(result, types, body));
        }
    }

    private static final Map<String, Definition> ALL = new TreeMap<>();

    static {
        TextFunctions.addTo(ALL);
        NumberFunctions.addTo(ALL);
        TimeFunctions.addTo(ALL);
        SessionFunctions.addTo(ALL);
        CatalogFunctions.addTo(ALL);
    }

    private Functions() {}

    /** In upper case, sorted, as the documentation lists them. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    public static Bound bind(Expr.Call call, ExprBinder binder, Surroundings surroundings) {
        Definition definition = ALL.get(call.name());
        if (definition == null) {
            String nearest = NearestName.among(ALL.keySet(), call.name())
                    .map(near -> " Did you mean " + near + "?")
                    .orElse("");
            throw new SqlError(195, call.at(), "'" + call.name() + "' is not a function of the console." + nearest);
        }
        int count = call.arguments().size();
        if (count < definition.least() || count > definition.most()) {
            throw new SqlError(174, call.at(), call.name() + " takes " + shown(definition) + ", not " + count + ".");
        }
        return definition.binding().bind(new Invocation(call, binder, surroundings));
    }

    private static String shown(Definition definition) {
        int least = definition.least();
        int most = definition.most();
        if (least == most) {
            return least == 1 ? "1 argument" : least + " arguments";
        }
        return most == Integer.MAX_VALUE ? "at least " + least + " arguments" : least + " to " + most + " arguments";
    }
}
