package dev.comporta.console.system;

import dev.comporta.console.table.Catalog;
import dev.comporta.console.table.Column;
import dev.comporta.console.table.ColumnType;
import dev.comporta.console.table.Row;
import dev.comporta.console.table.Schema;
import dev.comporta.console.table.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The views of schema {@code sys} that describe databases, schemas, objects, columns and types. */
record ObjectViews(Supplier<List<CatalogObject>> objects) {
    static final String COLLATION = "SQL_Latin1_General_CP1_CI_AS";

    /** The columns of views that list objects. */
    static final String OBJECT = "name nvarchar, object_id int, principal_id int, schema_id int,"
            + " parent_object_id int, type nvarchar, type_desc nvarchar, create_date datetime2, modify_date datetime2,"
            + " is_ms_shipped bit, is_published bit, is_schema_published bit";

    static List<View> of(String database, Supplier<List<CatalogObject>> objects) {
        ObjectViews views = new ObjectViews(objects);
        return List.of(
                sys(
                        "databases",
                        "name nvarchar, database_id int, source_database_id int, create_date datetime2,"
                                + " compatibility_level int, collation_name nvarchar, user_access int,"
                                + " user_access_desc nvarchar, is_read_only bit, state int, state_desc nvarchar,"
                                + " recovery_model_desc nvarchar, is_in_standby bit, containment int",
                        () -> List.of(Row.of(database, Catalog.DATABASE_ID, null, null, 160, COLLATION)
                                .and(0, "MULTI_USER", true, 0, "ONLINE", "SIMPLE", false, 0))),
                sys("schemas", "name nvarchar, schema_id int, principal_id int", ObjectViews::schemas),
                views.objectView("objects", CatalogObject::inDbo),
                views.objectView("views", CatalogObject::inDbo),
                views.objectView("all_objects", _ -> true),
                views.objectView("all_views", _ -> true),
                views.objectView("system_objects", object -> !object.inDbo()),
                views.objectView("system_views", object -> !object.inDbo()),
                views.columnView("columns", CatalogObject::inDbo),
                views.columnView("all_columns", _ -> true),
                views.columnView("system_columns", object -> !object.inDbo()),
                sys(
                        "types",
                        "name nvarchar, system_type_id int, user_type_id int, schema_id int, principal_id int,"
                                + " max_length int, precision int, scale int, collation_name nvarchar, is_nullable bit,"
                                + " is_user_defined bit, is_assembly_type bit, default_object_id int,"
                                + " rule_object_id int, is_table_type bit",
                        ObjectViews::types),
                sys(
                        "extended_properties",
                        "class int, class_desc nvarchar, major_id int, minor_id int, name nvarchar, value nvarchar",
                        views::descriptions),
                sys(
                        "configurations",
                        "configuration_id int, name nvarchar, value int, minimum int, maximum int, value_in_use int,"
                                + " description nvarchar, is_dynamic bit, is_advanced bit",
                        () -> List.of(Row.of(103, "user connections", 0, 0, 32767, 0)
                                .and("Number of user connections allowed", false, true))));
    }

    private static View sys(String name, String columns, Supplier<List<Row>> rows) {
        return SystemCatalog.view(View.SYS, name, Columns.of(columns), rows);
    }

    private static List<Row> schemas() {
        List<Row> rows = new ArrayList<>();
        for (Schema schema : Schema.values()) {
            rows.add(Row.of(schema.text(), schema.id(), schema.id()));
        }
        return rows;
    }

    private View objectView(String name, Predicate<CatalogObject> listed) {
        return sys(
                name,
                OBJECT,
                () -> objects.get().stream()
                        .filter(listed)
                        .map(object -> Row.of(
                                        object.view().name(),
                                        object.id(),
                                        null,
                                        object.schema().id())
                                .and(0, "V", "VIEW", null, null, !object.inDbo(), false, false))
                        .toList());
    }

    private View columnView(String name, Predicate<CatalogObject> listed) {
        String columns = "object_id int, name nvarchar, column_id int, system_type_id int, user_type_id int,"
                + " max_length int, precision int, scale int, collation_name nvarchar, is_nullable bit,"
                + " is_ansi_padded bit, is_rowguidcol bit, is_identity bit, is_computed bit, is_filestream bit,"
                + " is_replicated bit, is_xml_document bit, default_object_id int, rule_object_id int, is_sparse bit,"
                + " is_column_set bit, generated_always_type int, is_hidden bit, is_masked bit";
        return sys(name, columns, () -> {
            List<Row> rows = new ArrayList<>();
            objects.get().stream().filter(listed).forEach(object -> addColumns(rows, object));
            return rows;
        });
    }

    private static void addColumns(List<Row> rows, CatalogObject object) {
        int place = 0;
        for (Column column : object.view().columns()) {
            TypeFacts type = TypeFacts.of(column.type());
            rows.add(Row.of(object.id(), column.name(), ++place, type.systemId(), type.systemId())
                    .and(type.length(), type.precision(), type.scale(), type.isText() ? COLLATION : null)
                    .and(true, true, false, false, false, false, false, false)
                    .and(0, 0, false, false, 0, false, false));
        }
    }

    private static List<Row> types() {
        List<Row> rows = new ArrayList<>();
        for (ColumnType each : ColumnType.values()) {
            TypeFacts type = TypeFacts.of(each);
            rows.add(Row.of(type.name(), type.systemId(), type.systemId(), Schema.SYS.id(), null)
                    .and(type.length(), type.precision(), type.scale(), type.isText() ? COLLATION : null)
                    .and(true, false, false, 0, 0, false));
        }
        return rows;
    }

    // Tools show them beside the names of views and columns.
    private List<Row> descriptions() {
        List<Row> rows = new ArrayList<>();
        for (CatalogObject object : objects.get()) {
            if (object.ofHost()) {
                rows.add(description(object, 0, object.view().description()));
                int place = 0;
                for (Column column : object.view().columns()) {
                    rows.add(description(object, ++place, column.description()));
                }
            }
        }
        return rows;
    }

    private static Row description(CatalogObject object, int place, String text) {
        return Row.of(1, "OBJECT_OR_COLUMN", object.id(), place, "MS_Description", text);
    }
}
