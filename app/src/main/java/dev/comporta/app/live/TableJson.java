package dev.comporta.app.live;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Table;
import dev.comporta.ops.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Some columns of a table as {@code {"columns":[…],"rows":[[…],…]}}: names are sent once, and not with every row. */
final class TableJson {
    /** Three decimals: a thousandth of a millisecond is more than anybody needs on a page. */
    private static final double DECIMALS = 1000;

    private final List<String> names;
    private final int[] places;

    TableJson(List<Column> columns, List<String> names) {
        this.names = names;
        places = names.stream().mapToInt(name -> place(columns, name)).toArray();
    }

    static int place(List<Column> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no column is called " + name);
    }

    static void write(JsonGenerator json, String field, Table table, List<String> names) throws IOException {
        new TableJson(table.columns(), names).write(json, field, table.rows(), _ -> true);
    }

    void write(JsonGenerator json, String field, List<Row> rows, Predicate<Row> which) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeArrayFieldStart("columns");
        for (String name : names) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("rows");
        for (Row row : rows) {
            if (which.test(row)) {
                json.writeStartArray();
                for (int place : places) {
                    Json.writeValue(json, rounded(row.get(place)));
                }
                json.writeEndArray();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    static @Nullable Object rounded(@Nullable Object value) {
        return value instanceof Double number && Double.isFinite(number)
                ? Math.round(number * DECIMALS) / DECIMALS
                : value;
    }
}
