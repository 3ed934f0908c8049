package dev.comporta.console.system;

import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Schema;
import dev.comporta.console.table.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The views of INFORMATION_SCHEMA. They describe the host's views, not the catalog's own. */
final class InformationSchema {
    private InformationSchema() {}

    static List<View> of(String database, Supplier<List<CatalogObject>> objects) {
        return List.of(
                view(
                        "SCHEMATA",
                        "CATALOG_NAME nvarchar, SCHEMA_NAME nvarchar, SCHEMA_OWNER nvarchar",
                        () -> Arrays.stream(Schema.values())
                                .map(schema -> Row.of(database, schema.text(), schema.text()))
                                .toList()),
                view(
                        "TABLES",
                        "TABLE_CATALOG nvarchar, TABLE_SCHEMA nvarchar, TABLE_NAME nvarchar, TABLE_TYPE nvarchar",
                        () -> ofHost(objects)
                                .map(object -> name(database, object).and("VIEW"))
                                .toList()),
                view(
                        "VIEWS",
                        "TABLE_CATALOG nvarchar, TABLE_SCHEMA nvarchar, TABLE_NAME nvarchar, VIEW_DEFINITION nvarchar,"
                                + " CHECK_OPTION nvarchar, IS_UPDATABLE nvarchar",
                        () -> ofHost(objects)
                                .map(object -> name(database, object).and(null, "NONE", "NO"))
                                .toList()),
                view(
                        "COLUMNS",
                        "TABLE_CATALOG nvarchar, TABLE_SCHEMA nvarchar, TABLE_NAME nvarchar, COLUMN_NAME nvarchar,"
                                + " ORDINAL_POSITION int, COLUMN_DEFAULT nvarchar, IS_NULLABLE nvarchar,"
                                + " DATA_TYPE nvarchar, CHARACTER_MAXIMUM_LENGTH int, CHARACTER_OCTET_LENGTH int,"
                                + " NUMERIC_PRECISION int, NUMERIC_PRECISION_RADIX int, NUMERIC_SCALE int,"
                                + " DATETIME_PRECISION int, COLLATION_NAME nvarchar",
                        () -> {
                            List<Row> rows = new ArrayList<>();
                            ofHost(objects).forEach(object -> addColumns(rows, database, object));
                            return rows;
                        }),
                view(
                        "ROUTINES",
                        "ROUTINE_CATALOG nvarchar, ROUTINE_SCHEMA nvarchar, ROUTINE_NAME nvarchar, ROUTINE_TYPE nvarchar",
                        List::of),
                view(
                        "TABLE_CONSTRAINTS",
                        "CONSTRAINT_CATALOG nvarchar, CONSTRAINT_SCHEMA nvarchar, CONSTRAINT_NAME nvarchar,"
                                + " TABLE_CATALOG nvarchar, TABLE_SCHEMA nvarchar, TABLE_NAME nvarchar,"
                                + " CONSTRAINT_TYPE nvarchar",
                        List::of),
                view(
                        "KEY_COLUMN_USAGE",
                        "CONSTRAINT_CATALOG nvarchar, CONSTRAINT_SCHEMA nvarchar, CONSTRAINT_NAME nvarchar,"
                                + " TABLE_CATALOG nvarchar, TABLE_SCHEMA nvarchar, TABLE_NAME nvarchar,"
                                + " COLUMN_NAME nvarchar, ORDINAL_POSITION int",
                        List::of));
    }

    private static View view(String name, String columns, Supplier<List<Row>> rows) {
        return SystemCatalog.view(Schema.INFORMATION_SCHEMA.text(), name, Columns.of(columns), rows);
    }

    private static Stream<CatalogObject> ofHost(Supplier<List<CatalogObject>> objects) {
        return objects.get().stream().filter(CatalogObject::ofHost);
    }

    private static Row name(String database, CatalogObject object) {
        return Row.of(database, object.schema().text(), object.view().name());
    }

    private static void addColumns(List<Row> rows, String database, CatalogObject object) {
        int place = 0;
        for (Column column : object.view().columns()) {
            TypeFacts type = TypeFacts.of(column.type());
            boolean number = column.type().isInteger() || column.type() == ColumnType.FLOAT;
            rows.add(name(database, object)
                    .and(column.name(), ++place, null, "YES", type.name())
                    .and(
                            type.isText() ? (Integer) type.size() : null,
                            type.isText() ? (Integer) type.length() : null,
                            number ? (Integer) type.precision() : null,
                            number ? (Integer) (column.type() == ColumnType.FLOAT ? 2 : 10) : null,
                            column.type().isInteger() ? (Integer) 0 : null,
                            column.type() == ColumnType.DATETIME2 ? (Integer) type.scale() : null,
                            type.isText() ? ObjectViews.COLLATION : null));
        }
    }
}
