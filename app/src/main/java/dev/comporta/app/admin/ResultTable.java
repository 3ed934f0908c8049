package dev.comporta.app.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One result of a query, read from JSON. */
public final class ResultTable {
    private static final Set<String> NUMBERS = Set.of("INT", "BIGINT", "FLOAT");

    /** @param type the T-SQL name of the type */
    public record Column(String name, String type) {
        public boolean isNumber() {
            return NUMBERS.contains(type);
        }
    }

    /** One row. Asking for a column that it lacks is a bug. */
    public final class Row {
        private final JsonNode values;

        private Row(JsonNode values) {
            this.values = values;
        }

        public JsonNode value(int column) {
            return values.path(column);
        }

        private JsonNode value(String name) {
            Integer column = places.get(name);
            if (column == null) {
                throw new IllegalArgumentException("there is no column " + name);
            }
            return values.path(column);
        }

        /** Empty for NULL. */
        public String text(String name) {
            JsonNode value = value(name);
            return value.isNull() ? "" : value.asText();
        }

        /** 0 for NULL. */
        public int integer(String name) {
            return value(name).asInt();
        }

        public boolean bit(String name) {
            return value(name).asBoolean();
        }

        /** 0 for NULL. */
        public double decimal(String name) {
            return value(name).asDouble();
        }

        public @Nullable Double decimalOrNull(String name) {
            JsonNode value = value(name);
            return value.isNumber() ? value.asDouble() : null;
        }
    }

    private final List<Column> columns = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final List<Row> rows = new ArrayList<>();

    ResultTable(JsonNode result) {
        for (JsonNode column : result.path("columns")) {
            places.put(column.path("name").asText(), columns.size());
            columns.add(
                    new Column(column.path("name").asText(), column.path("type").asText()));
        }
        for (JsonNode row : result.path("rows")) {
            rows.add(new Row(row));
        }
    }

    public List<Column> columns() {
        return List.copyOf(columns);
    }

    public List<Row> rows() {
        return List.copyOf(rows);
    }
}
