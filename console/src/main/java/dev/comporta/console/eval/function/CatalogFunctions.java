package dev.comporta.console.eval.function;

import static dev.comporta.console.table.ColumnType.INT;
import static dev.comporta.console.table.ColumnType.NVARCHAR;

import dev.comporta.console.eval.function.Functions.Definition;
import dev.comporta.console.eval.scalar.Bound;
import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Schema;
import dev.comporta.console.table.Table;
import dev.comporta.console.table.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Functions that turn names of schemas, views and types into numbers and back. They read the system views. */
final class CatalogFunctions {
    private CatalogFunctions() {}

    static void addTo(Map<String, Definition> all) {
        all.put("DB_NAME", new Definition(0, 1, CatalogFunctions::databaseName));
        all.put("DB_ID", new Definition(0, 1, call -> ofDatabase(call, Catalog.DATABASE_ID)));
        all.put("HAS_DBACCESS", new Definition(1, 1, call -> ofDatabase(call, 1)));
        all.put("SCHEMA_NAME", new Definition(0, 1, CatalogFunctions::schemaName));
        all.put("SCHEMA_ID", new Definition(0, 1, CatalogFunctions::schemaId));
        all.put("OBJECT_ID", new Definition(1, 2, CatalogFunctions::objectId));
        all.put("OBJECT_NAME", new Definition(1, 2, call -> found(call, NVARCHAR, "all_objects", "name", "object_id")));
        all.put("COLUMNPROPERTY", new Definition(3, 3, CatalogFunctions::columnProperty));
        all.put("TYPE_NAME", new Definition(1, 1, call -> found(call, NVARCHAR, "types", "name", "user_type_id")));
        all.put("TYPE_ID", new Definition(1, 1, call -> found(call, INT, "types", "user_type_id", "name")));
        for (String name : List.of(
                "OBJECTPROPERTY", "OBJECTPROPERTYEX", "INDEXPROPERTY", "SQL_VARIANT_PROPERTY", "DATABASEPROPERTYEX")) {
            // No object here has any of the properties that tools ask for.
            all.put(name, new Definition(2, 3, _ -> Bound.constant(NVARCHAR, null)));
        }
    }

    private static Bound databaseName(Invocation call) {
        String database = call.surroundings().catalog().database();
        return call.strict(
                NVARCHAR,
                List.of(INT),
                arguments -> arguments.length == 0 || arguments[0].equals(Catalog.DATABASE_ID) ? database : null);
    }

    private static Bound schemaName(Invocation call) {
        return call.strict(NVARCHAR, List.of(INT), arguments -> {
            for (Schema schema : Schema.values()) {
                if (schema.id() == (arguments.length == 0 ? Schema.DBO.id() : (Integer) arguments[0])) {
                    return schema.text();
                }
            }
            return null;
        });
    }

    private static Bound schemaId(Invocation call) {
        return call.strict(INT, List.of(NVARCHAR), arguments -> {
            Optional<Schema> schema =
                    arguments.length == 0 ? Optional.of(Schema.DBO) : Schema.named((String) arguments[0]);
            return schema.map(Schema::id).orElse(null);
        });
    }

    private static Bound objectId(Invocation call) {
        return call.strict(INT, List.of(NVARCHAR), arguments -> objectId(call, (String) arguments[0]));
    }

    /** The value of {@code column} in the row of a system view whose column {@code by} equals the argument. */
    private static Bound found(Invocation call, ColumnType type, String view, String column, String by) {
        ColumnType wanted = type == INT ? NVARCHAR : INT;
        return call.strict(
                type, List.of(wanted), arguments -> find(call, view, column, row -> row.test(by, arguments[0])));
    }

    private static Bound columnProperty(Invocation call) {
        return call.strict(INT, List.of(INT, NVARCHAR, NVARCHAR), arguments -> columnProperty(call, arguments));
    }

    private static Bound ofDatabase(Invocation call, int value) {
        String database = call.surroundings().catalog().database();
        return call.strict(
                INT,
                List.of(NVARCHAR),
                arguments -> arguments.length == 0 || database.equalsIgnoreCase((String) arguments[0])
                        ? (Integer) value
                        : null);
    }

    private static @Nullable Object objectId(Invocation call, String name) {
        List<String> parts = parts(name);
        String schema =
                parts.size() > 1 && !parts.get(parts.size() - 2).isEmpty() ? parts.get(parts.size() - 2) : Catalog.DBO;
        Object schemaId = Schema.named(schema).map(Schema::id).orElse(-1);
        return find(
                call,
                "all_objects",
                "object_id",
                row -> row.test("schema_id", schemaId) && row.test("name", parts.getLast()));
    }

    private static List<String> parts(String name) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '[' || c == ']' || c == '"') {
                quoted = c == '[' || (c == '"' && !quoted);
            } else if (c == '.' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }

    // Tools ask for charmaxlen: it counts characters, where max_length counts bytes.
    private static @Nullable Object columnProperty(Invocation call, Object[] arguments) {
        if (!((String) arguments[2]).equalsIgnoreCase("charmaxlen")) {
            return 0;
        }
        Object bytes = find(
                call,
                "all_columns",
                "max_length",
                row -> row.test("object_id", arguments[0])
                        && row.test("name", arguments[1])
                        && row.test("system_type_id", 231));
        return bytes instanceof Integer length ? (Integer) (length / 2) : null;
    }

    private record NamedRow(Table table, Row row) {
        boolean test(String column, Object wanted) {
            Object value = get(column);
            return value instanceof String text ? text.equalsIgnoreCase(wanted.toString()) : wanted.equals(value);
        }

        @Nullable
        Object get(String column) {
            for (int i = 0; i < table.columns().size(); i++) {
                if (table.columns().get(i).name().equals(column)) {
                    return row.get(i);
                }
            }
            throw new IllegalStateException("no column " + column);
        }
    }

    private static @Nullable Object find(Invocation call, String view, String column, Predicate<NamedRow> matches) {
        View found = call.surroundings().catalog().find(View.SYS, view).orElse(null);
        if (found == null) {
            return null;
        }
        Table table = call.surroundings().read(found);
        for (Row row : table.rows()) {
            call.surroundings().budget().step(call.at());
            NamedRow named = new NamedRow(table, row);
            if (matches.test(named)) {
                return named.get(column);
            }
        }
        return null;
    }
}
